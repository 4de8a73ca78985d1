import { CSPProvider } from '@base-ui/react/csp-provider';
import { Guise } from '@guise/client/guise.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Toasts } from '../ui/toasts.tsx';
import { GuiseContext } from './guise-context.ts';
import { createStudioRouter } from './routes.tsx';
import { ThemeProvider } from './theme.tsx';

/** Wires the parts of the page: the client, the cache of what it has read, the routes. */
export function createStudio() {
  const guise = new Guise({ baseUrl: '', session: true });
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // The client has tried again already where that helps.
        retry: false,
        refetchOnWindowFocus: false,
        throwOnError: false,
      },
    },
  });
  // What was read before a sign-in is of another account or of none.
  guise.transport.onUnauthorized(() => void queries.invalidateQueries({ queryKey: ['me'] }));
  const router = createStudioRouter();
  const Providers = ({ children }: { children: ReactNode }) => (
    <CSPProvider disableStyleElements>
      <GuiseContext value={guise}>
        <QueryClientProvider client={queries}>
          <ThemeProvider>
            <Toasts>{children}</Toasts>
          </ThemeProvider>
        </QueryClientProvider>
      </GuiseContext>
    </CSPProvider>
  );
  return { router, Providers };
}
