import { Check, X } from 'lucide-react';

/** Whether something is as it should be: by shape and by colour. */
export function StateMark({ ok, label }: { ok: boolean; label: string }) {
  const Icon = ok ? Check : X;
  return (
    <span className={`grid size-5 shrink-0 place-items-center ${ok ? 'text-good' : 'text-lost'}`}>
      <Icon size={17} strokeWidth={2.25} aria-label={label} role="img" />
    </span>
  );
}
