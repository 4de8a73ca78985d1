import { PhotoForm, PhotoQuery, PhotoResult } from '@guise/contract/other-clients/photo-run.ts';
import { files, imageBodyBytes, ok, type Route, route } from '../../route.ts';
import { answerPhoto } from './answer-photo.ts';

const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'];

/** A photo in, a picture out, in one call. */
export const photoRoutes: Route[] = [
  route({
    ...files,
    method: 'POST',
    path: '/v1/photo/{filter}',
    operation: 'runPhoto',
    tag: 'Photo in, picture out',
    scopes: ['run'],
    takesBasic: true,
    summary: 'A photo through a filter, answered with the picture itself when it is made',
    body: PhotoForm,
    query: PhotoQuery,
    maxBody: imageBodyBytes,
    counted: 'runs',
    otherBodies: pictureTypes,
    success: { ...ok(PhotoResult), otherTypes: [...pictureTypes, 'multipart/form-data'] },
    handle: answerPhoto,
  }),
];
