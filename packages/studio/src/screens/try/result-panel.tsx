import type { JobDetail } from '@guise/contract/job-details.ts';
import { Code, Download } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Compare } from '../../ui/compare.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import type { PlannedRun } from './run-choice.ts';
import type { RunState } from './use-run.ts';

const CodeDialog = lazy(() => import('./code-dialog.tsx').then((m) => ({ default: m.CodeDialog })));

interface ResultPanelProps {
  state: RunState;
  /** What would be sent now, for the code. */
  planned: PlannedRun | undefined;
  onCancel(): void;
}

/** The picture or video, or how far it is. */
export function ResultPanel({ state, planned, onCancel }: ResultPanelProps) {
  const [showsCode, setShowsCode] = useState(false);
  return (
    <section aria-label="Result" aria-live="polite" className="flex shrink-0 flex-col gap-4 xl:min-h-[70%]">
      <Stage state={state} onCancel={onCancel} />
      <div className="flex flex-wrap gap-2">
        {state.step === 'done' && state.job.result_url && (
          <a
            href={state.job.result_url}
            download={`guise-${state.job.id}.${state.job.media_type === 'video/mp4' ? 'mp4' : 'png'}`}
            className="inline-flex min-h-10 items-center gap-2 rounded-card border bg-raised px-3.5 hover:border-ink-soft"
          >
            <Download size={17} aria-hidden />
            Download
          </a>
        )}
        {planned && (
          <Button icon={<Code size={17} aria-hidden />} onClick={() => setShowsCode(true)}>
            Copy as code
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

function Stage({ state, onCancel }: Pick<ResultPanelProps, 'state' | 'onCancel'>) {
  if (state.step === 'done' && state.job.result_url) {
    if (state.job.media_type === 'video/mp4')
      return (
        // biome-ignore lint/a11y/useMediaCaption: the videos have no sound.
        <video src={state.job.result_url} controls autoPlay loop className="max-h-[68dvh] rounded-card" />
      );
    if (state.before)
      return (
        // As high before the picture has loaded as after, so that a tablet can scroll to it.
        <div className="flex items-start justify-center md:max-xl:min-h-[68dvh]">
          <Compare before={state.before} after={state.job.result_url} alt="Result" size="max-h-[68dvh]" />
        </div>
      );
    return (
      <img
        src={state.job.result_url}
        alt="Result"
        className="mx-auto max-h-[68dvh] max-w-full rounded-card"
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
        <p className="text-center text-ink-soft">Your picture appears here.</p>
      ) : (
        <div className="flex w-full max-w-64 flex-col gap-4">
          <ProgressBar {...barOf(state)} />
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      )}
    </div>
  );
}

function barOf(state: Extract<RunState, { share: number }>): { label: string; share: number | null } {
  if (state.step === 'sending') return { label: 'Sending the photo', share: state.share };
  if (state.step === 'waiting') return { label: 'Waiting for an engine', share: null };
  return { label: 'Making…', share: state.share };
}

function Notes({ job }: { job: JobDetail }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-small">
      <dt className="text-ink-soft">Price</dt>
      <dd>{job.credits === 1 ? '1 credit' : `${job.credits} credits`}</dd>
      {job.quality?.grade === 'fair' && (
        <>
          <dt className="text-ink-soft">Quality</dt>
          <dd>{['Fair.', ...job.quality.reasons].join(' ')}</dd>
        </>
      )}
      {job.applied.length > 0 && (
        <>
          <dt className="text-ink-soft">Applied</dt>
          <dd>{job.applied.join(', ')}</dd>
        </>
      )}
      {job.ignored.length > 0 && (
        <>
          <dt className="text-ink-soft">Ignored</dt>
          <dd>{job.ignored.join(', ')}</dd>
        </>
      )}
    </dl>
  );
}
