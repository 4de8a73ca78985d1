import type { JobDetail, StageTime } from '@guise/contract/job-details.ts';
import { duration } from '../../ui/format-time.ts';
import { say } from '../../words/say.ts';
import { stageInWords } from './job-words.ts';

/** Where the time went: one line for the job, and one for what the engine did while it ran. */
export function JobTimes({ job }: { job: JobDetail }) {
  if (job.timings.length === 0) return null;
  return (
    <section>
      <h2 className="mb-2">{say('Time')}</h2>
      <TimeBar label={say('Time of the job')} stages={job.timings} />
      {job.engine_timings.length > 0 && (
        <>
          <h3 className="mt-4 mb-2 text-small text-ink-soft">{say('While it ran')}</h3>
          <TimeBar label={say('Time of the engine')} stages={job.engine_timings} />
        </>
      )}
    </section>
  );
}

/** Shades of the ink: the first is the lightest. */
const shades = ['opacity-20', 'opacity-90', 'opacity-50', 'opacity-70', 'opacity-35'] as const;

function TimeBar({ label, stages }: { label: string; stages: readonly StageTime[] }) {
  const all = stages.reduce((sum, { ms }) => sum + ms, 0);
  const shown = stages.filter(({ ms }) => ms > 0);
  const shadeOf = (stage: StageTime) => shades[shown.indexOf(stage) % shades.length];
  return (
    <>
      <div
        role="img"
        aria-label={`${label}: ${duration(all)}`}
        className="flex h-1.5 gap-px overflow-hidden rounded-full"
      >
        {shown.map((stage) => (
          <span
            key={stage.stage}
            className={`min-w-0.5 bg-ink ${shadeOf(stage)}`}
            style={{ flexGrow: stage.ms, flexBasis: 0 }}
          />
        ))}
      </div>
      <dl className="mt-2 grid gap-y-0.5 text-small">
        {shown.map((stage) => (
          <div key={stage.stage} className="flex items-center gap-2">
            <span aria-hidden className={`size-2 rounded-full bg-ink ${shadeOf(stage)}`} />
            <dt className="flex-1 text-ink-soft">{stageInWords(stage.stage)}</dt>
            <dd>{duration(stage.ms)}</dd>
          </div>
        ))}
        <div className="flex gap-2 pl-4">
          <dt className="flex-1 text-ink-soft">{say('Total')}</dt>
          <dd className="font-medium">{duration(all)}</dd>
        </div>
      </dl>
    </>
  );
}
