import type { ReactNode } from 'react';

interface MessageScreenProps {
  title: string;
  hint?: string;
  /** A picture or a symbol above the title. */
  symbol?: ReactNode;
  children?: ReactNode;
}

/** One thing that has to be said, in the middle of the screen. */
export function MessageScreen({ title, hint, symbol, children }: MessageScreenProps) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 p-6 text-center">
      {symbol}
      <h1 className="max-w-[22ch]">{title}</h1>
      {hint && <p className="max-w-[40ch] text-pretty text-ink-soft">{hint}</p>}
      {children}
    </main>
  );
}
