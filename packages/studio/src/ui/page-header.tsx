import type { ReactNode } from 'react';

/** The title of a screen and what can be done there. */
export function PageHeader({
  title,
  text,
  children,
}: {
  title: string;
  text?: string;
  children?: ReactNode;
}) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 px-6 pt-6 pb-4 max-md:px-4 max-md:pt-4">
      <div className="min-w-0">
        <h1>{title}</h1>
        {text && <p className="mt-0.5 max-w-prose text-ink-soft text-pretty">{text}</p>}
      </div>
      {children && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </header>
  );
}
