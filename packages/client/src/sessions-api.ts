import type {
  CreatedSession,
  CurrentSession,
  NewPassword,
  NewSession,
  SessionList,
  SignInLink,
} from '@guise/contract/sessions.ts';
import type { Transport } from './transport.ts';

/** Sessions of the browser. */
export const sessionsApi = (transport: Transport) => ({
  start: (body: NewSession, signal?: AbortSignal) =>
    transport.request<CreatedSession>('POST', '/v1/sessions', { body, signal }),
  /** Who is signed in; nobody is no error. */
  current: (signal?: AbortSignal) =>
    transport.request<CurrentSession>('GET', '/v1/sessions/current', { signal }),
  /** A link that signs in to the same account, once. */
  createLink: (signal?: AbortSignal) =>
    transport.request<SignInLink>('POST', '/v1/sign_in_links', { signal }),
  /** Ends all other sessions. */
  setPassword: (body: NewPassword, signal?: AbortSignal) =>
    transport.request<void>('PUT', '/v1/users/me/password', { body, signal }),
  list: (cursor?: string, signal?: AbortSignal) =>
    transport.request<SessionList>('GET', '/v1/sessions', { query: { cursor }, signal }),
  /** One session by its id, `current`, or `all`. */
  end: (id: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', id === 'all' ? '/v1/sessions' : `/v1/sessions/${id}`, { signal }),
});
