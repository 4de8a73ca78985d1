import type { CustomFilter, CustomFilterChange, NewCustomFilter } from '@guise/contract/catalogs.ts';
import type {
  CheckedVersion,
  CustomFilterDetail,
  CustomFilterExport,
  CustomFilterVersion,
  FilterCopy,
  GoLive,
  NewDraft,
  VersionedFilter,
} from '@guise/contract/filter-details.ts';
import type { FilterTestResult } from '@guise/contract/filter-drafts.ts';
import type { FilterReady, FilterReadyChange } from '@guise/contract/qa-runs.ts';
import type { Transport } from './transport.ts';

const path = '/v1/users/me/my-custom-filters';

/** The caller's own filters. `etag` of a call is the one that was read: the call fails if it is not the newest. */
export const customFiltersApi = (transport: Transport) => ({
  list: (signal?: AbortSignal) => transport.request<CustomFilter[]>('GET', path, { signal }),
  /** The same with their live versions and open drafts. */
  listVersioned: async (signal?: AbortSignal) => {
    const list = await transport.request<{ custom_filters: VersionedFilter[] }>('GET', '/v1/custom_filters', {
      signal,
    });
    return list.custom_filters;
  },
  get: (id: string, signal?: AbortSignal) =>
    transport.requestTagged<CustomFilterDetail>('GET', `${path}/${id}`, { signal }),
  create: (body: NewCustomFilter, signal?: AbortSignal) =>
    transport.request<CustomFilter>('POST', path, { body, signal }),
  change: (id: string, body: CustomFilterChange, etag?: string, signal?: AbortSignal) =>
    transport.requestTagged<CustomFilter>('PATCH', `${path}/${id}`, {
      body,
      headers: ifMatch(etag),
      signal,
    }),
  /** `force` deletes it even if aliases point to it. */
  remove: (id: string, force = false, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `${path}/${id}`, { query: force ? { force } : {}, signal }),
  test: (id: string, signal?: AbortSignal) =>
    transport.request<FilterTestResult>('POST', `${path}/${id}/test`, { signal }),
  /** Newest first. */
  versions: (id: string, cursor?: string, signal?: AbortSignal) =>
    transport.request<{ versions: CustomFilterVersion[]; next_cursor: string | null }>(
      'GET',
      `${path}/${id}/versions`,
      { query: { cursor, limit: 50 }, signal },
    ),
  /** Makes a new version with the definition of an earlier one. */
  restore: (id: string, version: number, etag?: string, signal?: AbortSignal) =>
    transport.requestTagged<CustomFilterDetail>('POST', `${path}/${id}/versions/${version}/restore`, {
      signal,
      headers: ifMatch(etag),
    }),
  /** Saves a version that does not go live, and has it checked. */
  saveDraft: (id: string, body: NewDraft, signal?: AbortSignal) =>
    transport.request<CheckedVersion>('POST', `${path}/${id}/drafts`, { body, signal }),
  /** Says which draft is worked on; null for none. */
  chooseDraft: (id: string, version: number | null, signal?: AbortSignal) =>
    transport.request<CustomFilterDetail>('PATCH', `${path}/${id}/draft`, { body: { version }, signal }),
  /** A version with what was checked of it. */
  version: (id: string, version: number, signal?: AbortSignal) =>
    transport.request<CheckedVersion>('GET', `${path}/${id}/versions/${version}`, { signal }),
  check: (id: string, version: number, signal?: AbortSignal) =>
    transport.request<CheckedVersion>('POST', `${path}/${id}/versions/${version}/check`, { signal }),
  /** Makes a draft the version that jobs are made with. */
  makeLive: (
    id: string,
    version: number,
    { etag, ...body }: Partial<GoLive> & { etag?: string | undefined } = {},
    signal?: AbortSignal,
  ) =>
    transport.requestTagged<CustomFilterDetail>('POST', `${path}/${id}/versions/${version}/live`, {
      body,
      headers: ifMatch(etag),
      signal,
    }),
  duplicate: (id: string, body: FilterCopy = {}, signal?: AbortSignal) =>
    transport.request<CustomFilter>('POST', `${path}/${id}/duplicate`, { body, signal }),
  /** The body that makes it anew; without a version, of the live one. */
  export: (id: string, signal?: AbortSignal, version?: number) =>
    transport.request<CustomFilterExport>('GET', `${path}/${id}/export`, { query: { version }, signal }),
  setReady: (id: string, body: FilterReadyChange, signal?: AbortSignal) =>
    transport.request<FilterReady>('POST', `${path}/${id}/ready`, { body, signal }),
});

const ifMatch = (etag: string | undefined): Record<string, string> => (etag ? { 'if-match': etag } : {});
