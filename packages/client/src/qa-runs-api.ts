import type { NewQaRun, QaCell, QaCellChange, QaPrice, QaRun, QaRunList } from '@guise/contract/qa-runs.ts';
import type { Transport } from './transport.ts';

const path = '/v1/qa_runs';

/** Runs of a filter over many photos, judged by people. */
export const qaRunsApi = (transport: Transport) => ({
  list: (query: { cursor?: string | undefined; limit?: number } = {}, signal?: AbortSignal) =>
    transport.request<QaRunList>('GET', path, { query, signal }),
  get: (id: string, signal?: AbortSignal) => transport.request<QaRun>('GET', `${path}/${id}`, { signal }),
  create: (body: NewQaRun, signal?: AbortSignal) => transport.request<QaRun>('POST', path, { body, signal }),
  price: ({ versions, photo_ids, ...of }: NewQaRun, signal?: AbortSignal) =>
    transport.request<QaPrice>('GET', `${path}/price`, {
      query: { ...of, versions: versions?.join(','), photo_ids: photo_ids?.join(',') },
      signal,
    }),
  remove: (id: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `${path}/${id}`, { signal }),
  /** `etag` is the one of the cell that was read: the call fails if somebody judged it meanwhile. */
  judge: (id: string, cellId: string, body: QaCellChange, etag?: string, signal?: AbortSignal) =>
    transport.request<QaCell>('PATCH', `${path}/${id}/cells/${cellId}`, {
      body,
      signal,
      headers: etag ? { 'if-match': etag } : {},
    }),
  /** Submits it anew, charged again. */
  retry: (id: string, cellId: string, signal?: AbortSignal) =>
    transport.request<QaCell>('POST', `${path}/${id}/cells/${cellId}/retry`, { signal }),
});
