import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';

interface Labelled {
  label: string;
  /** A sentence below the field. */
  hint?: ReactNode;
  /** What is wrong with its value; shown instead of the hint. */
  error?: string | undefined;
}

const input =
  'w-full rounded-card border bg-raised px-3 py-2 text-ink placeholder:text-ink-soft aria-invalid:border-lost';

export function TextField({
  label,
  hint,
  error,
  ...props
}: InputHTMLAttributes<HTMLInputElement> & Labelled) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <input
        id={id}
        {...props}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
        className={`${input} min-h-10`}
      />
    </FieldFrame>
  );
}

export function TextArea({
  label,
  hint,
  error,
  ...props
}: TextareaHTMLAttributes<HTMLTextAreaElement> & Labelled) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <textarea
        id={id}
        rows={4}
        {...props}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
        className={`${input} resize-y`}
      />
    </FieldFrame>
  );
}

interface FieldFrameProps extends Labelled {
  id: string;
  children: ReactNode;
}

/** A label above, a sentence below. */
export function FieldFrame({ id, label, hint, error, children }: FieldFrameProps) {
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-small font-medium">
        {label}
      </label>
      {children}
      {(error ?? hint) && (
        <p id={`${id}-note`} className={`text-small ${error ? 'text-lost' : 'text-ink-soft'}`}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
