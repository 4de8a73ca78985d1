import { Toggle } from '@base-ui/react/toggle';
import { ToggleGroup } from '@base-ui/react/toggle-group';

interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange(value: Value): void;
  className?: string;
}

/** One of a few choices that are all in sight. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  return (
    <ToggleGroup
      aria-label={props.label}
      value={[props.value]}
      onValueChange={([value]) => value !== undefined && props.onChange(value as Value)}
      className={`inline-flex rounded-card border bg-panel p-0.5 ${props.className ?? ''}`}
    >
      {props.options.map(({ value, label }) => (
        <Toggle
          key={value}
          value={value}
          className="min-h-8 grow rounded-[4px] px-2.5 text-small whitespace-nowrap text-ink-soft transition-colors hover:text-ink data-[pressed]:bg-raised data-[pressed]:ring-1 data-[pressed]:ring-ink-soft data-[pressed]:ring-inset data-[pressed]:font-medium data-[pressed]:text-ink"
        >
          {label}
        </Toggle>
      ))}
    </ToggleGroup>
  );
}
