import type { CreatedSession, NewSession, SessionList } from '@guise/contract/sessions.ts';
import type { Transport } from './transport.ts';

/** Sessions of the browser. */
export const sessionsApi = (transport: Transport) => ({
  start: (body: NewSession) => transport.request<CreatedSession>('POST', '/v1/sessions', { body }),
  list: (cursor?: string) => transport.request<SessionList>('GET', '/v1/sessions', { query: { cursor } }),
  /** One session by its id, `current`, or `all`. */
  end: (id: string) =>
    transport.request<void>('DELETE', id === 'all' ? '/v1/sessions' : `/v1/sessions/${id}`),
});
