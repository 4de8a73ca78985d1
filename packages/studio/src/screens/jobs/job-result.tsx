import type { JobDetail } from '@guise/contract/job-details.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { say } from '../../words/say.ts';
import { isLoop } from './job-files.ts';
import { hasEnded, jobTitle, stateOf } from './job-words.ts';

/** The result, as large as it fits; else what there is instead. */
export function JobResult({ job }: { job: JobDetail }) {
  return (
    <div
      className={`grid place-items-center lg:sticky lg:top-4 lg:h-[calc(100dvh-5.5rem)] ${job.result_url ? 'min-h-80' : 'min-h-32'}`}
    >
      <Shown job={job} />
    </div>
  );
}

function Shown({ job }: { job: JobDetail }) {
  if (job.result_url)
    return job.media_type.startsWith('video/') ? (
      <video
        controls={!isLoop(job)}
        autoPlay={isLoop(job)}
        muted
        playsInline
        loop
        src={job.result_url}
        poster={job.poster_url ?? job.thumbnail_url ?? undefined}
        className={largest}
      />
    ) : (
      <img
        src={job.result_url}
        alt={say('Result of {title}', { title: jobTitle(job) })}
        className={largest}
      />
    );
  if (!hasEnded(job))
    return (
      <div className="w-64">
        <ProgressBar
          label={stateOf(job) === 'queued' ? waitingInWords(job) : say('Making…')}
          share={stateOf(job) === 'queued' ? null : job.progress}
        />
      </div>
    );
  return (
    <p className="max-w-sm text-center text-ink-soft">
      {job.status === 'FAILED'
        ? say(
            'There is no result. The photos were deleted when the job ended, and the credits were returned.',
          )
        : say('The result has expired and was deleted.')}
    </p>
  );
}

function waitingInWords({ waiting }: JobDetail): string {
  return waiting?.needs === 'engine'
    ? say('Waiting for an engine that makes it')
    : say('Waiting in the queue');
}

const largest = 'block max-h-[calc(100dvh-5.5rem)] max-w-full rounded-card';
