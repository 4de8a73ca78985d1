import type { GuiseApi } from '@guise/client/guise-api.ts';
import { createContext, use } from 'react';

export const GuiseContext = createContext<GuiseApi | null>(null);

/** The server, as the signed-in account. */
export function useGuise(): GuiseApi {
  const guise = use(GuiseContext);
  if (!guise) throw new Error('useGuise is called outside of the studio');
  return guise;
}
