import { type InputHTMLAttributes, useId } from 'react';

interface TextInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  label: string;
  hint?: string;
  onChange(value: string): void;
}

export function TextInput({ label, hint, onChange, ...rest }: TextInputProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
        className="min-h-16 rounded-card border bg-panel px-5"
        {...rest}
      />
      {hint && (
        <p id={`${id}-hint`} className="text-small text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  );
}
