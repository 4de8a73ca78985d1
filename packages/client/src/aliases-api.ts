import type { Alias, AliasChange, NewAlias } from '@guise/contract/aliases.ts';
import type { Tagged, Transport } from './transport.ts';

/** Slots whose filter can be changed while booths keep the slot's id. */
export const aliasesApi = (transport: Transport) => ({
  list: (signal?: AbortSignal) => transport.request<Alias[]>('GET', '/api/alias/', { signal }),
  create: (body: Pick<NewAlias, 'ai_filter'> & Partial<NewAlias>) =>
    transport.request<Alias>('POST', '/api/alias/', { body }),
  /** The tag lets an undo be refused when somebody else has changed the alias meanwhile. */
  change: (id: string, body: AliasChange): Promise<Tagged<Alias>> =>
    transport.requestTagged<Alias>('PATCH', `/api/alias/${id}/`, { body }),
  /** Points it to the filter that it had before. */
  undo: (id: string, etag?: string): Promise<Tagged<Alias>> =>
    transport.requestTagged<Alias>('POST', `/v1/aliases/${id}/undo`, {
      ...(etag !== undefined && { headers: { 'if-match': etag } }),
    }),
  /** Points it to its safe filter. */
  switchToSafe: (id: string): Promise<Tagged<Alias>> =>
    transport.requestTagged<Alias>('POST', `/v1/aliases/${id}/safe`),
  remove: (id: string) => transport.request<void>('DELETE', `/api/alias/${id}/`),
});
