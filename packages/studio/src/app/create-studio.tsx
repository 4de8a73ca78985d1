import { CSPProvider } from '@base-ui/react/csp-provider';
import { GuiseApi } from '@guise/client/guise-api.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Toasts } from '../ui/toasts.tsx';
import { GuiseContext } from './guise-context.ts';
import { createStudioRouter } from './routes.tsx';
import { ThemeProvider } from './theme.tsx';

/** Wires the parts of the page: the client, the cache of what it has read, the routes. */
export function createStudio() {
  const guise = new GuiseApi({ baseUrl: '', session: true });
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
  // Whether the session has ended is asked once more: the answer decides what is shown.
  guise.transport.onUnauthorized((path) => {
    if (!path.startsWith('/v1/sessions')) void queries.refetchQueries({ queryKey: ['me'] });
  });
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
