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

const tools = [
  { value: 'paint', label: 'Brush' },
  { value: 'erase', label: 'Eraser' },
] as const;

/** The brush by which the foreground is painted. */
export function BrushBar({ brush, onChange, onUndo, onClear }: BrushBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Segmented
        label="Tool"
        value={brush.isErasing ? 'erase' : 'paint'}
        options={tools}
        onChange={(tool) => onChange({ ...brush, isErasing: tool === 'erase' })}
      />
      <div className="w-64">
        <Slider
          label="Brush size"
          value={brush.size}
          min={0.01}
          max={0.2}
          onChange={(size) => onChange({ ...brush, size })}
        />
      </div>
      <Button disabled={!onUndo} onClick={() => onUndo?.()}>
        Undo
      </Button>
      <Button onClick={onClear}>Clear</Button>
      <p className="w-full text-small text-ink-soft">
        Paint what guests stand behind: a table, a hedge, a railing. Edges follow the picture.
      </p>
    </div>
  );
}
