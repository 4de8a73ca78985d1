import type { NewPhoto, Photo, PhotoSet, PhotoSetEntry, PhotoSetList } from '@guise/contract/photo-sets.ts';
import type { RequestOptions, Transport } from './transport.ts';

/** Photos that filters are tried on. */
export const photoSetsApi = (transport: Transport) => ({
  list: () => transport.request<PhotoSetList>('GET', '/v1/photo_sets'),
  get: (id: string) => transport.request<PhotoSet>('GET', `/v1/photo_sets/${id}`),
  create: (name: string) => transport.request<PhotoSetEntry>('POST', '/v1/photo_sets', { body: { name } }),
  rename: (id: string, name: string) =>
    transport.request<PhotoSetEntry>('PATCH', `/v1/photo_sets/${id}`, { body: { name } }),
  remove: (id: string) => transport.request<void>('DELETE', `/v1/photo_sets/${id}`),
  addPhoto: (id: string, body: NewPhoto, options: Pick<RequestOptions, 'signal' | 'onUpload'> = {}) =>
    transport.request<Photo>('POST', `/v1/photo_sets/${id}/photos`, { body, ...options }),
  removePhoto: (id: string, photoId: string) =>
    transport.request<void>('DELETE', `/v1/photo_sets/${id}/photos/${photoId}`),
});
