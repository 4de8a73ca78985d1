import type { ReactNode } from 'react';

/** A page that has one thing to say. */
export function MessagePage({
  icon,
  title,
  children,
}: {
  icon: ReactNode;
  title: string;
  children: ReactNode;
}) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-4 p-8 text-center">
      <span className="text-ink-soft [&>svg]:size-12" aria-hidden>
        {icon}
      </span>
      <h1>{title}</h1>
      <p className="max-w-prose text-ink-soft text-balance">{children}</p>
    </main>
  );
}
