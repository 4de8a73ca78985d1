import { type ReactNode, useId } from 'react';

interface FormSectionProps {
  title: string;
  text?: string;
  children: ReactNode;
}

/** A part of a long form: what it is about on the left, its fields on the right. */
export function FormSection({ title, text, children }: FormSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,16rem)_minmax(0,1fr)] gap-x-10 gap-y-4 border-t py-7 max-lg:grid-cols-1"
    >
      <div>
        <h2 id={id}>{title}</h2>
        {text && <p className="mt-1 max-w-prose text-small text-ink-soft">{text}</p>}
      </div>
      <div className="flex max-w-3xl min-w-0 flex-col gap-5">{children}</div>
    </section>
  );
}
