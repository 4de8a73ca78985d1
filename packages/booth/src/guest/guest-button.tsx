import { LoaderCircle } from 'lucide-react';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';

type Kind = 'primary' | 'plain' | 'danger' | 'erase';

const shape =
  'inline-flex min-h-12 items-center justify-center gap-2.5 rounded-card px-5 py-2 text-small font-medium transition-colors';
const kinds: Record<Kind, string> = {
  primary: 'bg-accent text-on-accent font-semibold hover:brightness-105',
  plain: 'border bg-panel hover:border-ink-soft',
  danger: 'text-danger hover:bg-panel underline-offset-4 hover:underline',
  erase: 'bg-danger text-ground font-semibold hover:brightness-105',
};

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` is what most guests want to do next, `danger` leads to a question, and `erase` answers it. */
  kind?: Kind;
  busy?: boolean;
  icon?: ReactNode;
}

export function GuestButton({ kind = 'plain', busy = false, icon, className = '', ...props }: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      disabled={props.disabled || busy}
      className={`${shape} ${kinds[kind]} disabled:opacity-60 ${className}`}
    >
      {busy ? <LoaderCircle size={20} className="animate-spin" aria-hidden /> : icon}
      {props.children}
    </button>
  );
}

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  kind?: Kind;
  icon?: ReactNode;
}

/** A link that looks like a button: for files. */
export function GuestLink({ kind = 'plain', icon, className = '', ...props }: LinkProps) {
  return (
    <a {...props} rel="noreferrer" className={`${shape} ${kinds[kind]} ${className}`}>
      {icon}
      {props.children}
    </a>
  );
}
