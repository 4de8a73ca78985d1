import type { AnyParams } from '@guise/contract/families/families.ts';
import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import { cannotMake, type EngineRequest } from '../engine.ts';
import { type PhotoToSend, photoToSend } from './photos.ts';
import { fillOf, type Shape, shapeOf } from './picture-shape.ts';

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
  const shape = shapeOf(request, photos[0] ?? null);
  const { model }: AnyParams = request.params;
  // Only workflows that know the range of their model ask for less than was asked of them.
  const fills = shape.seconds !== null && definition.bindings.frames?.some(({ most }) => most !== undefined);
  return {
    request,
    definition,
    photos,
    template,
    shape: fills ? { ...shape, fill: fillOf(shape, model) } : shape,
  };
}
