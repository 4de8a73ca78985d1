import type {
  NewPhoto,
  NewPhotoSet,
  Photo,
  PhotoSet,
  PhotoSetChange,
  PhotoSetList,
} from '@guise/contract/photo-sets.ts';
import type { Transport } from './transport.ts';

/** Sets of photos to try filters on. */
export const photoSetsApi = (transport: Transport) => ({
  list: (cursor?: string) =>
    transport.request<PhotoSetList>('GET', '/v1/photo_sets', { query: { cursor, limit: 50 } }),
  get: (id: string, signal?: AbortSignal) =>
    transport.request<PhotoSet>('GET', `/v1/photo_sets/${id}`, { signal }),
  create: (body: NewPhotoSet) => transport.request<PhotoSet>('POST', '/v1/photo_sets', { body }),
  change: (id: string, body: PhotoSetChange) =>
    transport.request<PhotoSet>('PATCH', `/v1/photo_sets/${id}`, { body }),
  remove: (id: string) => transport.request<void>('DELETE', `/v1/photo_sets/${id}`),
  addPhoto: (id: string, body: NewPhoto, onUpload?: (share: number) => void) =>
    transport.request<Photo>('POST', `/v1/photo_sets/${id}/photos`, { body, onUpload }),
  removePhoto: (id: string, photoId: string) =>
    transport.request<void>('DELETE', `/v1/photo_sets/${id}/photos/${photoId}`),
});
