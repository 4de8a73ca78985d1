import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
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
  { value: 'paint', label: 'Brush' },
  { value: 'outline', label: 'Outline' },
  { value: 'erase', label: 'Eraser' },
];

/** The tools by which the foreground is painted. */
export function BrushBar({ brush, onChange, onUndo, onClear }: BrushBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Segmented
        label="Tool"
        value={brush.tool}
        options={tools}
        onChange={(tool) => onChange({ ...brush, tool })}
      />
      {brush.tool !== 'outline' && (
        <div className="w-64">
          <Slider
            label="Brush size"
            value={brush.size}
            min={0.01}
            max={0.2}
            onChange={(size) => onChange({ ...brush, size })}
          />
        </div>
      )}
      <Button disabled={!onUndo} onClick={() => onUndo?.()}>
        Undo
      </Button>
      <Button onClick={onClear}>Clear</Button>
      <p className="w-full text-small text-ink-soft">
        {brush.tool === 'outline'
          ? 'Draw a line around what guests stand behind: a table, a hedge, a railing. It is filled when you let go.'
          : 'Paint what guests stand behind: a table, a hedge, a railing.'}{' '}
        Edges follow the picture.
      </p>
    </div>
  );
}
