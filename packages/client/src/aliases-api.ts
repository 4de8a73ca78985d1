import type { Alias, AliasChange, AliasDraft, NewAlias, NewAliasDraft } from '@guise/contract/aliases.ts';
import type { DraftGoLive } from '@guise/contract/filter-details.ts';
import type { Tagged, Transport } from './transport.ts';

type GoLiveBody = Pick<DraftGoLive, 'number'> & Partial<DraftGoLive>;

/** Slots whose filter can be changed while booths keep the slot's id. */
export const aliasesApi = (transport: Transport) => ({
  list: (signal?: AbortSignal) => transport.request<Alias[]>('GET', '/api/alias/', { signal }),
  get: (id: string, signal?: AbortSignal) => transport.request<Alias>('GET', `/api/alias/${id}/`, { signal }),
  create: (body: Pick<NewAlias, 'ai_filter'> & Partial<NewAlias>, signal?: AbortSignal) =>
    transport.request<Alias>('POST', '/api/alias/', { body, signal }),
  /** The tag lets an undo be refused when somebody else has changed the alias meanwhile. */
  change: (id: string, body: AliasChange, signal?: AbortSignal): Promise<Tagged<Alias>> =>
    transport.requestTagged<Alias>('PATCH', `/api/alias/${id}/`, { body, signal }),
  /** Points it to the filter that it had before. */
  undo: (id: string, etag?: string, signal?: AbortSignal): Promise<Tagged<Alias>> =>
    transport.requestTagged<Alias>('POST', `/v1/aliases/${id}/undo`, {
      signal,
      ...(etag !== undefined && { headers: { 'if-match': etag } }),
    }),
  /** Points it to its safe filter. */
  switchToSafe: (id: string, signal?: AbortSignal): Promise<Tagged<Alias>> =>
    transport.requestTagged<Alias>('POST', `/v1/aliases/${id}/safe`, { signal }),
  /** Where it is to point to. Booths go on with the filter that is in it. */
  saveDraft: (id: string, body: NewAliasDraft, signal?: AbortSignal) =>
    transport.request<AliasDraft>('PUT', `/v1/aliases/${id}/draft`, { body, signal }),
  draft: (id: string, signal?: AbortSignal) =>
    transport.request<AliasDraft>('GET', `/v1/aliases/${id}/draft`, { signal }),
  checkDraft: (id: string, signal?: AbortSignal) =>
    transport.request<AliasDraft>('POST', `/v1/aliases/${id}/draft/check`, { signal }),
  discardDraft: (id: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `/v1/aliases/${id}/draft`, { signal }),
  /** Points it to the filter of its draft. `undo` takes it back. */
  makeLive: (id: string, body: GoLiveBody, signal?: AbortSignal): Promise<Tagged<Alias>> =>
    transport.requestTagged<Alias>('POST', `/v1/aliases/${id}/draft/live`, { body, signal }),
  remove: (id: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `/api/alias/${id}/`, { signal }),
});
