import type { CustomFilter, CustomFilterChange, NewCustomFilter } from '@guise/contract/catalogs.ts';
import type {
  CustomFilterDetail,
  CustomFilterExport,
  CustomFilterVersion,
  FilterCopy,
} from '@guise/contract/filter-details.ts';
import type { FilterTestResult } from '@guise/contract/filter-drafts.ts';
import type { FilterReady, FilterReadyChange } from '@guise/contract/qa-runs.ts';
import type { Transport } from './transport.ts';

const path = '/v1/users/me/my-custom-filters';

/** The caller's own filters. `etag` of a call is the one that was read: the call fails if it is not the newest. */
export const customFiltersApi = (transport: Transport) => ({
  list: (signal?: AbortSignal) => transport.request<CustomFilter[]>('GET', path, { signal }),
  get: (id: string, signal?: AbortSignal) =>
    transport.requestTagged<CustomFilterDetail>('GET', `${path}/${id}`, { signal }),
  create: (body: NewCustomFilter) => transport.request<CustomFilter>('POST', path, { body }),
  change: (id: string, body: CustomFilterChange, etag?: string) =>
    transport.requestTagged<CustomFilter>('PATCH', `${path}/${id}`, { body, headers: ifMatch(etag) }),
  /** `force` deletes it even if aliases point to it. */
  remove: (id: string, force = false) =>
    transport.request<void>('DELETE', `${path}/${id}`, { query: force ? { force } : {} }),
  test: (id: string, signal?: AbortSignal) =>
    transport.request<FilterTestResult>('POST', `${path}/${id}/test`, { signal }),
  /** Newest first. */
  versions: (id: string, cursor?: string) =>
    transport.request<{ versions: CustomFilterVersion[]; next_cursor: string | null }>(
      'GET',
      `${path}/${id}/versions`,
      { query: { cursor, limit: 50 } },
    ),
  /** Makes a new version with the definition of an earlier one. */
  restore: (id: string, version: number, etag?: string) =>
    transport.requestTagged<CustomFilterDetail>('POST', `${path}/${id}/versions/${version}/restore`, {
      headers: ifMatch(etag),
    }),
  duplicate: (id: string, body: FilterCopy = {}) =>
    transport.request<CustomFilter>('POST', `${path}/${id}/duplicate`, { body }),
  /** The body that makes it anew. */
  export: (id: string, signal?: AbortSignal) =>
    transport.request<CustomFilterExport>('GET', `${path}/${id}/export`, { signal }),
  setReady: (id: string, body: FilterReadyChange) =>
    transport.request<FilterReady>('POST', `${path}/${id}/ready`, { body }),
});

const ifMatch = (etag: string | undefined): Record<string, string> => (etag ? { 'if-match': etag } : {});
