import type { QuickTest } from '@guise/contract/quick-tests.ts';
import { shortTime } from '../../ui/format-time.ts';

/** How often the link can still be used, and how long. */
export function RunsLeft({ quickTest: { runs_left, expires_at } }: { quickTest: QuickTest }) {
  if (runs_left === 0)
    return <p className="text-small">All tries of this link are used up. Ask for a new one.</p>;
  return (
    <p className="text-small text-ink-soft">
      {runs_left === 1 ? '1 try left' : `${runs_left} tries left`}, until {shortTime(expires_at)}
    </p>
  );
}
