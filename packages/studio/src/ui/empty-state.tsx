import type { ReactNode } from 'react';

/** What a page shows while it has nothing: what to do next. */
export function EmptyState({
  title,
  text,
  children,
}: {
  title: string;
  text?: string;
  children?: ReactNode;
}) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-6 py-20 text-center">
      <h2>{title}</h2>
      {text && <p className="text-ink-soft">{text}</p>}
      {children}
    </div>
  );
}
