import { smoothstep } from '../colour.ts';
import { medianHeight, moveFace } from '../face-outline.ts';
import { findFaces } from '../faces.ts';
import type { Placement, Size } from '../framing.ts';
import { cutPeople } from '../matte.ts';
import { readPhoto } from '../photo.ts';
import type { Face, Picture } from '../picture.ts';
import type { Window } from '../resample.ts';
import { closeEyes } from './blink.ts';
import { type CameraPlan, planCamera, type RoomPlane, roomFor, viewAt, wayBack } from './camera.ts';
import { makeClip } from './clip.ts';
import { aspectFor, cropPicture, cropWindow } from './crop.ts';
import { fillBehind } from './fill.ts';
import { frameSize, qualities, type VideoModel } from './formats.ts';
import { frameFrom } from './frame.ts';
import type { Motion } from './motion-words.ts';
import { matteOnPlate, peopleLayer, reliefOf, wholeMatte } from './people-layer.ts';
import type { Stage } from './stage.ts';
import type { MadeVideo, VideoOptions } from './video.ts';
import type { Layer } from './warp.ts';

/** Layers are this much finer than the frame: bilinear reading of them then neither blurs nor shimmers. */
const density: Record<VideoModel, number> = { simple: 1.5, advanced: 1.25, performance: 1.25 };

/** The photo's longest side: as much as the layers show of it. */
const photoSide: Record<VideoModel, number> = { simple: 2048, advanced: 1920, performance: 2560 };

/** A smaller face than this share of the largest is somebody in the background. */
const bystanderShare = 0.42;

/** How far beyond the frame a layer reaches where the photo does, in shares of the frame. */
const margin = 0.1;

/** A video from one photo. */
export async function makeSingleFrame(file: string, options: VideoOptions): Promise<MadeVideo> {
  const { model, motion, signal, progress } = options;
  const photo = await readPhoto(file, photoSide[model]);
  signal.throwIfAborted();
  const faces = mainFaces(await findFaces(photo, { traits: false }));
  signal.throwIfAborted();
  progress(0.03);
  const stage = await setStage(photo, faces, options);
  signal.throwIfAborted();
  const begun = model === 'simple' ? 0.05 : 0.3;
  progress(begun);
  await makeClip({
    file: options.file,
    size: stage.size,
    frames: options.frames,
    quality: qualities[model],
    source: { module: new URL('./single-renderer.ts', import.meta.url), data: stage },
    signal,
    progress: (done) => progress(begun + (1 - begun) * done),
  });
  return told(motion, stage, model);
}

/** What came of the prompt: a model without layers, or a photo without people, cannot follow all of it. */
function told(motion: Motion, { people }: Stage, model: VideoModel): MadeVideo {
  const applied: string[] = [];
  const ignored = [...motion.ignored];
  for (const line of motion.applied) {
    if (model === 'simple' && line.startsWith('effect:')) ignored.push(`${line}: not with the model simple`);
    else if (line.startsWith('effect: breeze') && !people)
      ignored.push(`${line}: nobody was found to be in it`);
    else if (model === 'simple' && /^camera: (orbit|dolly)/.test(line))
      applied.push(`${line}, without depth`);
    else applied.push(line);
  }
  return { applied, ignored };
}

export function mainFaces(faces: readonly Face[]): Face[] {
  const largest = Math.max(0, ...faces.map((face) => face.height));
  return faces.filter((face) => face.height >= bystanderShare * largest);
}

/** The photo's part that is in frame 0, and the frame's size. */
export function frameOf(photo: Size, faces: readonly Face[], { model, aspect, motion }: VideoOptions) {
  const format = aspect === 'auto' ? aspectFor(photo, faces) : aspect;
  const size = frameSize(format, model);
  return { size, window: cropWindow(photo, faces, size, roomFor(motion)) };
}

export async function setStage(
  photo: Picture,
  faces: readonly Face[],
  options: VideoOptions,
): Promise<Stage> {
  const { model, motion, frames, seed } = options;
  const { size, window } = frameOf(photo, faces, options);
  const scale = window.width / size.width;
  const placed = faces.map((face) => moveFace(face, 1 / scale, -window.x / scale, -window.y / scale));
  const plate = plateOf(photo, window, size, density[model]);
  const picture = cropPicture(photo, plate.window, plate.size);
  const layered = model !== 'simple';
  const cut = layered && faces.length > 0 ? await cutFrom(photo, faces, picture, plate, options) : null;
  const back: Layer = {
    planes: frameFrom(cut?.behind ?? picture),
    alpha: null,
    alphaHalf: null,
    ...plate.place,
  };
  const room = layered ? roomOf(placed, size) : { top: 0, slope: 0 };
  const subject = cut ? nearnessOf(placed, size) : room.top + 0.5 * room.slope;
  const focus = focusOf(placed, size);
  const camera = planCamera(motion, { frames, size, focus, subject, layered });
  const fine = model === 'performance';
  const step = fine ? 12 : 16;
  return {
    size,
    frames,
    seed,
    camera: withinPlate(camera, size, back, [room]),
    back,
    room,
    people: cut && {
      layer: cut.layer,
      plane: { top: subject, slope: 0 },
      relief: reliefOf(cut.matte, cut.layer, placed, size, step, fine),
      eyes: fine ? closeEyes(cut.picture, facesOnLayer(placed, cut.layer)) : [],
      life: {
        people: placed.map(({ center, height }, i) => ({ ...center, height, phase: (0.37 * i) % 1 })),
        bounds: {
          left: -back.left,
          top: -back.top,
          right: back.planes.width / back.density - back.left,
          bottom: back.planes.height / back.density - back.top,
        },
        breeze: motion.effects.breeze ?? 0,
        turn: fine ? 1 : 0,
      },
    },
    air: layered ? motion.effects : {},
    light: { frames, ambient: layered ? 1 : 0, sweep: layered ? (motion.effects['light sweep'] ?? 0) : 0 },
    step,
  };
}

function facesOnLayer(faces: readonly Face[], { left, top, density }: Layer): Face[] {
  const shift = (edge: number) => (edge + 0.5) * density - 0.5;
  return faces.map((face) => moveFace(face, density, shift(left), shift(top)));
}

/** Below this share of the faces seen as people, a layer of them would have holes. */
const leastCoverage = 0.6;

/** The people as a layer, and the picture without them; null where they cannot be told from what is behind. */
async function cutFrom(
  photo: Picture,
  faces: readonly Face[],
  picture: Picture,
  { place, placement }: Plate,
  { model, signal, progress }: VideoOptions,
) {
  const matte = await cutPeople(photo, faces, { fast: model === 'advanced', signal });
  signal.throwIfAborted();
  progress(0.1);
  if (matte.coverage.every((share) => share < leastCoverage)) return null;
  const { scale, x, y } = placement;
  const onPlate = faces.map((face) => moveFace(face, scale, x, y));
  const placed = matteOnPlate(picture, matte, placement, onPlate);
  if (!placed) return null;
  progress(0.15);
  const reach = 3 + 0.02 * medianHeight(onPlate);
  const behind = await fillBehind(picture, wholeMatte(placed, picture), reach);
  signal.throwIfAborted();
  progress(0.25);
  return { matte: placed, behind, ...peopleLayer(picture, behind, placed, place) };
}

/** The room behind people as one plane, so that its lines stay straight: the lower, the nearer, unless people fill it. */
function roomOf(faces: readonly Face[], size: Size): RoomPlane {
  const largest = Math.max(0.12 * size.height, ...faces.map((face) => face.height));
  return { top: 0, slope: 0.2 + 0.35 * smoothstep(0.34, 0.12, largest / size.height) };
}

/** The nearness of people whose faces are so large. */
function nearnessOf(faces: readonly Face[], size: Size): number {
  return 0.62 + 0.3 * smoothstep(0.06, 0.34, medianHeight(faces) / size.height);
}

/** Between the faces; without any, the middle. */
function focusOf(faces: readonly Face[], size: Size): { x: number; y: number } {
  if (faces.length === 0) return { x: size.width / 2, y: size.height / 2 };
  const mean = (of: (face: Face) => number) => faces.reduce((sum, face) => sum + of(face), 0) / faces.length;
  return { x: mean((face) => face.center.x), y: mean((face) => face.center.y) };
}

interface Plate {
  size: Size;
  place: Pick<Layer, 'left' | 'top' | 'density'>;
  /** Where the photo lies on the plate. */
  placement: Placement;
  window: Window;
}

/** The part of the photo that layers show: the frame's, and as much around it as the camera may come to see. */
function plateOf(photo: Size, window: Window, size: Size, dense: number): Plate {
  const scale = window.width / size.width;
  const left = Math.min(window.x / scale, margin * size.width);
  const top = Math.min(window.y / scale, margin * size.height);
  const right = Math.min((photo.width - window.x - window.width) / scale, margin * size.width);
  const bottom = Math.min((photo.height - window.y - window.height) / scale, margin * size.height);
  const even = (length: number) => 2 * Math.ceil((length * dense) / 2);
  const plate = { width: even(size.width + left + right), height: even(size.height + top + bottom) };
  return {
    size: plate,
    place: { left, top, density: dense },
    placement: {
      scale: dense / scale,
      x: (left - window.x / scale) * dense,
      y: (top - window.y / scale) * dense,
    },
    window: {
      x: window.x - left * scale,
      y: window.y - top * scale,
      width: (plate.width / dense) * scale,
      height: (plate.height / dense) * scale,
    },
  };
}

/** The plan, done only so far that no frame shows anything beyond the plate. */
function withinPlate(
  plan: CameraPlan,
  size: Size,
  { planes, density: dense, left, top }: Layer,
  rooms: readonly { top: number; slope: number }[],
): CameraPlan {
  const right = planes.width / dense - left;
  const bottom = planes.height / dense - top;
  const tolerance = 1;
  const fits = (amount: number) => {
    const tried = { ...plan, amount };
    for (let index = 0; index < plan.frames; index += 4) {
      const view = viewAt(tried, Math.min(plan.frames - 1, index));
      for (const room of rooms) {
        const [a, b, c, d, e, f, g, h, i] = wayBack(view, tried, room, size);
        for (const u of [0, size.width]) {
          for (const v of [0, size.height]) {
            const w = g * u + h * v + i;
            const x = (a * u + b * v + c) / w;
            const y = (d * u + e * v + f) / w;
            if (x < -left - tolerance || x > right + tolerance) return false;
            if (y < -top - tolerance || y > bottom + tolerance) return false;
          }
        }
      }
    }
    return true;
  };
  let low = 0;
  let high = plan.amount;
  if (fits(high)) return plan;
  for (let round = 0; round < 8; round++) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return { ...plan, amount: low };
}
