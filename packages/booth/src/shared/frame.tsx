import type { ReactNode } from 'react';

/** A page that fills the screen. */
export function Frame({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 p-6 text-center">
      <h1>{title}</h1>
      {children}
    </main>
  );
}
