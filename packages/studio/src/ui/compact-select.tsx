import type { SelectHTMLAttributes } from 'react';

interface CompactSelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  label: string;
  /** The first one means "any" and has the value ''. */
  options: readonly { value: string; label: string }[];
  onChange(value: string): void;
}

/** A choice that says itself what it is of, for a bar of several. */
export function CompactSelect({
  label,
  options,
  value,
  onChange,
  className = '',
  ...props
}: CompactSelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      {...props}
      className={`min-h-9 max-w-52 [field-sizing:content] truncate rounded-card border bg-ground px-2 text-small hover:border-ink-soft ${value ? 'border-ink-soft font-medium text-ink' : 'text-ink-soft'} ${className}`}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
