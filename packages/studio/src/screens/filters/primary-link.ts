/** A link to the one thing to do next, as the button of that kind looks. */
export const primaryLink =
  'inline-flex min-h-10 items-center justify-center gap-2 rounded-card bg-accent px-3.5 py-1.5 font-semibold whitespace-nowrap text-on-accent hover:brightness-105';

/** A link that looks like a plain button. */
export const plainLink =
  'inline-flex min-h-10 items-center justify-center gap-2 rounded-card border bg-raised px-3.5 py-1.5 whitespace-nowrap hover:border-ink-soft';
