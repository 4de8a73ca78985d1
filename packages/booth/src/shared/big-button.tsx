import type { ButtonHTMLAttributes, ReactNode } from 'react';

interface BigButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** One button of a screen is the one thing to do next. */
  kind?: 'primary' | 'plain' | 'quiet';
  icon?: ReactNode;
}

const looks = {
  primary: 'bg-accent text-on-accent border-transparent',
  plain: 'bg-panel text-ink border-line',
  quiet: 'bg-transparent text-ink border-transparent',
} as const;

/** A button for fingers: at least 64 pixels high. */
export function BigButton({ kind = 'plain', icon, children, className = '', ...rest }: BigButtonProps) {
  return (
    <button
      type="button"
      className={`inline-flex min-h-18 items-center justify-center gap-3 rounded-[2.25rem] border px-5 py-3 wrap-anywhere sm:px-8 text-base font-semibold select-none active:scale-[0.98] disabled:opacity-50 ${looks[kind]} ${className}`}
      {...rest}
    >
      {icon}
      {children}
    </button>
  );
}

interface RoundButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string;
}

/** A button that has only a symbol. */
export function RoundButton({ label, children, className = '', ...rest }: RoundButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-grid size-16 shrink-0 place-items-center rounded-full select-none active:scale-95 ${className}`}
      {...rest}
    >
      {children}
    </button>
  );
}
