import type { Guise } from '@guise/client/guise.ts';
import { createContext, use } from 'react';

export const GuiseContext = createContext<Guise | null>(null);

/** The server, as the signed-in account. */
export function useGuise(): Guise {
  const guise = use(GuiseContext);
  if (!guise) throw new Error('useGuise is called outside of the studio');
  return guise;
}
