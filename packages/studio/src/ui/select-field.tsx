import { type SelectHTMLAttributes, useId } from 'react';
import { FieldFrame } from './text-field.tsx';

interface SelectFieldProps extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string;
  hint?: string;
  options: readonly { value: string; label: string }[];
}

/** The system's own list: it works on every phone. */
export function SelectField({ label, hint, options, ...props }: SelectFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint}>
      <select
        id={id}
        {...props}
        className="min-h-10 w-full rounded-card border bg-raised px-2.5 py-2 text-ink"
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
