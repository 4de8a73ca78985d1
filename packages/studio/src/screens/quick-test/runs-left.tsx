import type { QuickTest } from '@guise/contract/quick-tests.ts';
import { shortTime } from '../../ui/format-time.ts';
import { say } from '../../words/say.ts';

/** How often the link can still be used, and how long. */
export function RunsLeft({ quickTest: { runs_left, expires_at } }: { quickTest: QuickTest }) {
  const time = shortTime(expires_at);
  if (runs_left === 0)
    return <p className="text-small">{say('All tries of this link are used up. Ask for a new one.')}</p>;
  return (
    <p className="text-small text-ink-soft">
      {runs_left === 1
        ? say('1 try left, until {time}', { time })
        : say('{count} tries left, until {time}', { count: runs_left, time })}
    </p>
  );
}
