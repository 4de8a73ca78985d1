import { ArrowLeft, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { RoundButton } from '../../shared/big-button.tsx';
import { useTexts } from '../../shared/texts/texts.ts';

interface GuestFrameProps {
  title: string;
  /** Said below the title before anything else. */
  notice?: string | null | undefined;
  onBack?: (() => void) | undefined;
  onStop: () => void;
  children: ReactNode;
  /** What there is to do, at the bottom of the screen. */
  actions?: ReactNode;
}

/** A step of a guest: what it is about, and the ways back and out, always at the same place. */
export function GuestFrame({ title, notice, onBack, onStop, children, actions }: GuestFrameProps) {
  const { booth } = useTexts();
  return (
    <main className="flex h-dvh flex-col overflow-hidden p-[max(1rem,env(safe-area-inset-top))_max(1rem,env(safe-area-inset-right))_max(1rem,env(safe-area-inset-bottom))_max(1rem,env(safe-area-inset-left))]">
      <header className="flex min-h-16 items-center gap-2">
        {onBack ? (
          <RoundButton label={booth.back} onClick={onBack}>
            <ArrowLeft size={32} aria-hidden className="rtl:-scale-x-100" />
          </RoundButton>
        ) : (
          <span className="w-16 shrink-0" />
        )}
        <h1 className="flex-1 text-center">{title}</h1>
        <RoundButton label={booth.stop} onClick={onStop}>
          <X size={32} aria-hidden />
        </RoundButton>
      </header>
      {notice && (
        <p role="alert" className="mx-auto mt-2 max-w-[40ch] text-center font-medium text-balance">
          {notice}
        </p>
      )}
      <div className="min-h-0 flex-1 py-4">{children}</div>
      {actions && <footer className="flex flex-wrap justify-center gap-4">{actions}</footer>}
    </main>
  );
}
