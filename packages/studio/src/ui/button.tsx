import { LoaderCircle } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode } from 'react';

type Kind = 'primary' | 'plain' | 'quiet' | 'danger';

const kinds: Record<Kind, string> = {
  primary: 'bg-accent text-on-accent font-semibold hover:brightness-105 disabled:opacity-50',
  plain: 'border bg-raised hover:border-ink-soft disabled:text-ink-soft',
  quiet: 'text-ink-soft hover:text-ink hover:bg-panel disabled:opacity-50',
  danger: 'border border-lost text-lost hover:bg-lost hover:text-ground disabled:opacity-50',
};

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` is the one thing to do next. */
  kind?: Kind;
  /** Its work is under way. */
  busy?: boolean;
  icon?: ReactNode;
}

export function Button({ kind = 'plain', busy = false, icon, className = '', ...props }: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      disabled={props.disabled || busy}
      className={`inline-flex min-h-10 items-center justify-center gap-2 rounded-card px-3.5 py-1.5 whitespace-nowrap transition-colors ${kinds[kind]} ${className}`}
    >
      {busy ? <LoaderCircle size={17} className="animate-spin" aria-hidden /> : icon}
      {props.children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** What it does, for those who cannot see the icon, and as its tooltip. */
  label: string;
}

export function IconButton({ label, className = '', ...props }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...props}
      className={`inline-grid size-9 shrink-0 place-items-center rounded-card text-ink-soft transition-colors hover:bg-panel hover:text-ink disabled:opacity-40 ${className}`}
    />
  );
}
