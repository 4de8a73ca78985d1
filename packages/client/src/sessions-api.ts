import type { CreatedSession, NewSession, SessionList } from '@guise/contract/sessions.ts';
import type { Transport } from './transport.ts';

/** Sessions of the browser. */
export const sessionsApi = (transport: Transport) => ({
  start: (body: NewSession, signal?: AbortSignal) =>
    transport.request<CreatedSession>('POST', '/v1/sessions', { body, signal }),
  list: (cursor?: string, signal?: AbortSignal) =>
    transport.request<SessionList>('GET', '/v1/sessions', { query: { cursor }, signal }),
  /** One session by its id, `current`, or `all`. */
  end: (id: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', id === 'all' ? '/v1/sessions' : `/v1/sessions/${id}`, { signal }),
});
