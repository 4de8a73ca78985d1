import { X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { creditsText } from '../../ui/credits-text.ts';
import { FairMark } from '../../ui/fair-mark.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { say } from '../../words/say.ts';
import { barOf } from './run-progress.ts';
import type { Run, RunState } from './run-states.ts';

interface ResultGridProps {
  runs: readonly Run[];
  onOpen(key: string): void;
  onCancel(key: string): void;
}

/** One photo in several filters, side by side. Each picture is shown whole. */
export function ResultGrid({ runs, onOpen, onCancel }: ResultGridProps) {
  return (
    <ul className="grid grid-cols-2 gap-3 md:max-xl:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
      {runs.map((run) => (
        <li key={run.key} className="min-w-0">
          {run.state.step === 'done' ? (
            <button type="button" onClick={() => onOpen(run.key)} className="relative block w-full">
              <img
                src={run.state.job.result_url ?? run.state.job.thumbnail_url ?? undefined}
                alt={say('Look at {name}', { name: run.name })}
                className="max-h-[52dvh] w-full rounded-card bg-panel object-contain"
              />
              {run.state.job.quality?.grade === 'fair' && (
                <FairMark reasons={run.state.job.quality.reasons} className="absolute top-2 left-2" />
              )}
            </button>
          ) : (
            <Unfinished state={run.state} onCancel={() => onCancel(run.key)} />
          )}
          <p className="mt-1 truncate text-small font-medium" title={run.name}>
            {run.name || say('Picture')}
          </p>
          {run.state.step === 'done' && (
            <p className="text-small text-ink-soft">{creditsText(run.state.job.credits)}</p>
          )}
        </li>
      ))}
    </ul>
  );
}

function Unfinished({ state, onCancel }: { state: RunState; onCancel(): void }) {
  return (
    <div className="relative grid aspect-[2/3] w-full place-items-center rounded-card bg-panel p-4">
      {state.step === 'failed' ? (
        <p role="alert" className="text-center text-small text-lost">
          {state.sentence}
        </p>
      ) : (
        'share' in state && (
          <>
            <div className="w-full">
              <ProgressBar {...barOf(state)} />
            </div>
            <IconButton label={say('Cancel')} className="absolute top-1 right-1" onClick={onCancel}>
              <X size={16} aria-hidden />
            </IconButton>
          </>
        )
      )}
    </div>
  );
}
