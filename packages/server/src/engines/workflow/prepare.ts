import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import { cannotMake, type EngineRequest } from '../engine.ts';
import { type PhotoToSend, photoToSend } from './photos.ts';
import { type Shape, shapeOf } from './picture-shape.ts';

/** A request with its photos as they go to a server, and what is to come back. */
export interface Prepared {
  request: EngineRequest;
  definition: WorkflowDefinition;
  photos: PhotoToSend[];
  template: PhotoToSend | null;
  shape: Shape;
}

export async function prepare(request: EngineRequest, definition: WorkflowDefinition): Promise<Prepared> {
  const wanted = definition.bindings.photos.length;
  if (request.images.length !== wanted)
    throw cannotMake(`The workflow of this filter takes ${wanted === 1 ? 'one photo' : `${wanted} photos`}.`);
  const photos = await Promise.all(request.images.map(photoToSend));
  const { filter } = request;
  const template = filter?.kind === 'template' ? await photoToSend(filter.image) : null;
  return {
    request,
    definition,
    photos,
    template,
    shape: shapeOf(request, photos[0] ?? null),
  };
}
