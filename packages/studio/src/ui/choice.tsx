import type { ReactNode } from 'react';

/** A label above a choice that names itself for screen readers. */
export function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <span className="text-small font-medium" aria-hidden>
        {label}
      </span>
      {children}
    </div>
  );
}
