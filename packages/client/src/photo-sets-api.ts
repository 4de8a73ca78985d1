import type { NewPhoto, Photo, PhotoSet, PhotoSetEntry, PhotoSetList } from '@guise/contract/photo-sets.ts';
import type { RequestOptions, Transport } from './transport.ts';

/** Photos that filters are tried on. */
export const photoSetsApi = (transport: Transport) => ({
  list: (signal?: AbortSignal) => transport.request<PhotoSetList>('GET', '/v1/photo_sets', { signal }),
  get: (id: string, signal?: AbortSignal) =>
    transport.request<PhotoSet>('GET', `/v1/photo_sets/${id}`, { signal }),
  create: (name: string, signal?: AbortSignal) =>
    transport.request<PhotoSetEntry>('POST', '/v1/photo_sets', { body: { name }, signal }),
  rename: (id: string, name: string, signal?: AbortSignal) =>
    transport.request<PhotoSetEntry>('PATCH', `/v1/photo_sets/${id}`, { body: { name }, signal }),
  remove: (id: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `/v1/photo_sets/${id}`, { signal }),
  addPhoto: (id: string, body: NewPhoto, options: Pick<RequestOptions, 'signal' | 'onUpload'> = {}) =>
    transport.request<Photo>('POST', `/v1/photo_sets/${id}/photos`, { body, ...options }),
  removePhoto: (id: string, photoId: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `/v1/photo_sets/${id}/photos/${photoId}`, { signal }),
});
