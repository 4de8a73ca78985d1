import { Choice } from '../../ui/choice.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { say } from '../../words/say.ts';
import type { RunChoice } from './run-choice.ts';

const lengths = [2, 3, 4, 5, 6].map((seconds) => ({ value: String(seconds), label: `${seconds} s` }));
const loops = [
  { value: 'ping_pong', label: say('There and back') },
  { value: 'forward', label: say('Forward') },
] as const;

/** How a living portrait moves. */
export function PortraitOptions({
  choice,
  onChange,
}: {
  choice: RunChoice;
  onChange(change: Partial<RunChoice>): void;
}) {
  return (
    <div className="flex flex-col gap-4">
      <Choice label={say('Length of a round')}>
        <Segmented
          label={say('Length of a round')}
          value={String(choice.loopSeconds)}
          options={lengths}
          onChange={(seconds) => onChange({ loopSeconds: Number(seconds) })}
          className="flex w-full"
        />
      </Choice>
      <Choice label={say('Loop')}>
        <Segmented
          label={say('Loop')}
          value={choice.loop}
          options={loops}
          onChange={(loop) => onChange({ loop })}
          className="flex w-full"
        />
      </Choice>
    </div>
  );
}
