import type { AnyParams } from '@guise/contract/families/families.ts';
import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import type { JobTasks, PhotoToSend } from '../../media/decoder.ts';
import { cannotMake, type Engine, type EngineContext, type EngineRequest } from '../engine.ts';
import type { Uploaded } from './bind.ts';
import { withoutDeadEnds } from './output-path.ts';
import { fillOf, generatedSize, type Shape, shapeOf } from './picture-shape.ts';

/** Finds the faces of a photo, on this machine. */
export type FindFaces = Engine['checkTemplate'] & {};

/** A request with its photos as they go to a server, and what is to come back. */
export interface Prepared {
  request: EngineRequest;
  definition: WorkflowDefinition;
  photos: PhotoToSend[];
  template: PhotoToSend | null;
  /** Of the first photo, where the workflow asks for them. */
  face: PhotoToSend | null;
  frame: PhotoToSend | null;
  shape: Shape;
}

export async function prepare(
  request: EngineRequest,
  whole: WorkflowDefinition,
  { findFaces, signal, decoder }: Pick<EngineContext, 'signal' | 'decoder'> & { findFaces: FindFaces },
): Promise<Prepared> {
  const definition = withoutDeadEnds(whole);
  const wanted = definition.bindings.photos.length;
  if (request.images.length !== wanted)
    throw cannotMake(`The workflow of this filter takes ${wanted === 1 ? 'one photo' : `${wanted} photos`}.`);
  const photos = await Promise.all(
    request.images.map((image, i) =>
      decoder.photoToSend({ file: image, readsMask: readsMask(definition, i) }),
    ),
  );
  const { filter } = request;
  const template = filter?.kind === 'template' ? await decoder.photoToSend({ file: filter.image }) : null;
  const shape = shapeOf(request, photos[0] ?? null);
  const find = { find: () => findFaces(request.images[0]!, signal), decoder };
  const { model }: AnyParams = request.params;
  // Only workflows that know the range of their model ask for less than was asked of them.
  const fills = shape.seconds !== null && definition.bindings.frames?.some(({ most }) => most !== undefined);
  return {
    request,
    definition,
    photos,
    template,
    ...(await facePhotos(request, definition, shape, find)),
    shape: fills ? { ...shape, fill: fillOf(shape, model) } : shape,
  };
}

/** Whether a node takes the mask of the node that loads this photo, its second output. */
function readsMask({ workflow, bindings }: WorkflowDefinition, photo: number): boolean {
  const { node } = bindings.photos[photo]!;
  return Object.values(workflow).some(({ inputs }) =>
    Object.values(inputs).some((input) => Array.isArray(input) && input[0] === node && input[1] === 1),
  );
}

async function facePhotos(
  { images }: EngineRequest,
  { bindings }: WorkflowDefinition,
  shape: Shape,
  { find, decoder }: { find: () => ReturnType<FindFaces>; decoder: JobTasks },
): Promise<Pick<Prepared, 'face' | 'frame'>> {
  const wantsNone = !bindings.face && !bindings.frame;
  const [file] = images;
  if (wantsNone || file === undefined) return { face: null, frame: null };
  const { faces } = await find();
  const [largest] = faces;
  if (!largest) throw cannotMake('No face was found in the photo. Face the camera and try again.');
  const { megapixels, multiple = 1 } = bindings.size ?? {};
  const size = generatedSize(shape, megapixels, multiple);
  const [face, frame] = await Promise.all([
    bindings.face ? decoder.cutFace({ file, face: largest }) : null,
    bindings.frame ? decoder.layIntoFrame({ file, face: largest, frame: size }) : null,
  ]);
  return { face, frame };
}

/** Everything that goes to the server, in the order of `uploadedAs`. */
export function photosToSend({ photos, template, face, frame }: Prepared): PhotoToSend[] {
  return [...photos, template, face, frame].filter((photo) => photo !== null);
}

/** Which of the names, in the order of `photosToSend`, is what. */
export function uploadedAs({ photos, ...others }: Prepared, names: readonly string[]): Uploaded {
  const left = names.slice(photos.length);
  const nameOf = (photo: PhotoToSend | null) => (photo ? (left.shift() ?? null) : null);
  return {
    photos: names.slice(0, photos.length),
    template: nameOf(others.template),
    face: nameOf(others.face),
    frame: nameOf(others.frame),
  };
}
