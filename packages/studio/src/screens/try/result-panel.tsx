import type { JobDetail } from '@guise/contract/job-details.ts';
import { ArrowLeft, Code, Download, ImageUp, Repeat2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Compare } from '../../ui/compare.tsx';
import { creditsText } from '../../ui/credits-text.ts';
import { jobSentence } from '../../ui/job-sentence.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { say } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';
import { downloadsOf, isLoop } from '../jobs/job-files.ts';
import { ResultGrid } from './result-grid.tsx';
import type { PlannedRun } from './run-choice.ts';
import { barOf } from './run-progress.ts';
import type { Run, RunState } from './run-states.ts';

const CodeDialog = lazy(() => import('./code-dialog.tsx').then((m) => ({ default: m.CodeDialog })));

interface ResultPanelProps {
  runs: readonly Run[];
  /** What would be sent now, for the code. */
  planned: PlannedRun | undefined;
  onCancel(key: string): void;
  /** Chooses what a job was made with. */
  onAgain(job: JobDetail): void;
  /** Takes the picture of a job as the next photo. */
  onUsePicture(job: JobDetail): void;
}

/** The picture or video, or how far it is; several side by side, each of which can be looked at alone. */
export function ResultPanel({ runs, planned, onCancel, onAgain, onUsePicture }: ResultPanelProps) {
  const [showsCode, setShowsCode] = useState(false);
  const [opened, setOpened] = useState<string>();
  const alone = runs.length === 1 ? runs[0] : runs.find(({ key }) => key === opened);
  const isGrid = runs.length > 1 && !alone;
  const state: RunState = alone?.state ?? { step: 'idle' };
  return (
    <section
      aria-label={say('Result')}
      aria-live="polite"
      className="flex shrink-0 flex-col gap-4 xl:min-h-[70%]"
    >
      {runs.length > 1 && alone && (
        <Button
          kind="quiet"
          className="self-start"
          icon={<ArrowLeft size={16} aria-hidden />}
          onClick={() => setOpened(undefined)}
        >
          {say('All {count}', { count: runs.length })}
        </Button>
      )}
      {isGrid ? (
        <ResultGrid runs={runs} onOpen={setOpened} onCancel={onCancel} />
      ) : (
        <Stage state={state} onCancel={() => alone && onCancel(alone.key)} />
      )}
      <div className="flex flex-wrap gap-2">
        {state.step === 'done' && (
          <ResultActions job={state.job} onAgain={onAgain} onUsePicture={onUsePicture} />
        )}
        {planned && (
          <Button icon={<Code size={17} aria-hidden />} onClick={() => setShowsCode(true)}>
            {say('Copy as code')}
          </Button>
        )}
      </div>
      {state.step === 'done' && <Notes job={state.job} />}
      <Suspense>
        {showsCode && planned && <CodeDialog run={planned} onClose={() => setShowsCode(false)} />}
      </Suspense>
    </section>
  );
}

interface ResultActionsProps extends Pick<ResultPanelProps, 'onAgain' | 'onUsePicture'> {
  job: JobDetail;
}

function ResultActions({ job, onAgain, onUsePicture }: ResultActionsProps) {
  const isPicture = job.media_type === 'image/png';
  return (
    <>
      {downloadsOf(job).map(({ url, ending, label }) => (
        <a
          key={url}
          href={url}
          download={`guise-${job.id}.${ending}`}
          className="inline-flex min-h-10 items-center gap-2 rounded-card border bg-raised px-3.5 hover:border-ink-soft"
        >
          <Download size={17} aria-hidden />
          {label}
        </a>
      ))}
      <Button
        icon={<Repeat2 size={17} aria-hidden />}
        title={say('Choose what this was made with')}
        onClick={() => onAgain(job)}
      >
        {say('Again with…')}
      </Button>
      {job.result_url && isPicture && (
        <Button icon={<ImageUp size={17} aria-hidden />} onClick={() => onUsePicture(job)}>
          {say('Use as photo')}
        </Button>
      )}
    </>
  );
}

function Stage({ state, onCancel }: { state: RunState; onCancel(): void }) {
  if (state.step === 'done' && state.job.result_url) {
    if (state.job.media_type === 'video/mp4')
      return (
        <video
          src={state.job.result_url}
          controls={!isLoop(state.job)}
          poster={state.job.poster_url}
          autoPlay
          muted
          playsInline
          loop
          className="max-h-[68dvh] rounded-card xl:max-h-[57dvh]"
        />
      );
    if (state.before)
      return (
        // As high before the picture has loaded as after, so that a tablet can scroll to it.
        <div className="flex items-start justify-center md:max-xl:min-h-[68dvh]">
          <Compare
            before={state.before}
            after={state.job.result_url}
            alt={say('Result')}
            size="max-h-[68dvh] xl:max-h-[57dvh]"
          />
        </div>
      );
    return (
      <img
        src={state.job.result_url}
        alt={say('Result')}
        className="mx-auto max-h-[68dvh] max-w-full xl:max-h-[57dvh] rounded-card"
      />
    );
  }
  return (
    <div className="grid min-h-72 flex-1 place-items-center rounded-card bg-panel p-6">
      {state.step === 'failed' ? (
        <p role="alert" className="max-w-sm text-center text-lost">
          {state.sentence}
        </p>
      ) : state.step === 'idle' || state.step === 'done' ? (
        <p className="text-center text-ink-soft">
          {state.step === 'idle'
            ? say('Your picture appears here.')
            : say('This result was deleted when it expired.')}
        </p>
      ) : (
        <div className="flex w-full max-w-64 flex-col gap-4">
          <ProgressBar {...barOf(state)} />
          <Button kind="quiet" onClick={onCancel}>
            {say('Cancel')}
          </Button>
        </div>
      )}
    </div>
  );
}

function Notes({ job }: { job: JobDetail }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-small">
      <dt className="text-ink-soft">{say('Price')}</dt>
      <dd>{creditsText(job.credits)}</dd>
      {job.quality?.grade === 'fair' && (
        <>
          <dt className="text-ink-soft">{say('Quality')}</dt>
          <dd>{[say('Fair.'), ...job.quality.reasons.map(sayOfServer)].join(' ')}</dd>
        </>
      )}
      {job.applied.length > 0 && (
        <>
          <dt className="text-ink-soft">{say('Applied')}</dt>
          <dd>{job.applied.map(jobSentence).join(', ')}</dd>
        </>
      )}
      {job.ignored.length > 0 && (
        <>
          <dt className="text-ink-soft">{say('Ignored')}</dt>
          <dd>{job.ignored.map(jobSentence).join(', ')}</dd>
        </>
      )}
    </dl>
  );
}
