import type { Transport } from './transport.ts';

/** The server itself: whether it is well, and what it offers. */
export const serverApi = (transport: Transport) => ({
  /** Whether the process is alive. */
  health: (signal?: AbortSignal) => transport.request<{ status: 'ok' }>('GET', '/health', { signal }),
  /** Whether it takes work, and which engines it has; a server that does not is an error with status 503. */
  ready: (signal?: AbortSignal) => transport.request<ReadyServer>('GET', '/ready', { signal }),
  /** Figures for Prometheus. */
  metrics: async (signal?: AbortSignal): Promise<string> =>
    (await transport.open('/metrics', { signal })).text(),
  openApi: (signal?: AbortSignal) =>
    transport.request<Record<string, unknown>>('GET', '/openapi.json', { signal }),
});

export interface ReadyServer {
  status: 'ready' | 'not ready';
  engines: { name: string; families: string[] }[];
  families_without_engine: string[];
  /** Those whose servers are all away, with no other engine that makes them. */
  families_unavailable?: string[];
}
