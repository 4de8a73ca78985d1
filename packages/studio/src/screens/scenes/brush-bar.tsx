import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { say } from '../../words/say.ts';
import type { BrushSettings } from './foreground-brush.tsx';
import { Slider } from './slider.tsx';

interface BrushBarProps {
  brush: BrushSettings;
  onChange(brush: BrushSettings): void;
  /** Takes the last stroke back; none where there is none. */
  onUndo: (() => void) | undefined;
  onClear(): void;
}

const tools: { value: BrushSettings['tool']; label: string }[] = [
  { value: 'paint', label: say('Brush') },
  { value: 'outline', label: say('Outline') },
  { value: 'erase', label: say('Eraser') },
];

/** The tools by which the foreground is painted. */
export function BrushBar({ brush, onChange, onUndo, onClear }: BrushBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Segmented
        label={say('Tool')}
        value={brush.tool}
        options={tools}
        onChange={(tool) => onChange({ ...brush, tool })}
      />
      {brush.tool !== 'outline' && (
        <div className="w-64">
          <Slider
            label={say('Brush size')}
            value={brush.size}
            min={0.01}
            max={0.2}
            onChange={(size) => onChange({ ...brush, size })}
          />
        </div>
      )}
      <Button disabled={!onUndo} onClick={() => onUndo?.()}>
        {say('Undo')}
      </Button>
      <Button onClick={onClear}>{say('Clear')}</Button>
      <p className="w-full text-small text-ink-soft">
        {brush.tool === 'outline'
          ? say(
              'Draw a line around what guests stand behind: a table, a hedge, a railing. It is filled when you let go.',
            )
          : say('Paint what guests stand behind: a table, a hedge, a railing.')}{' '}
        {say('Edges follow the picture.')}
      </p>
    </div>
  );
}
