import type { VideoModel } from '@guise/contract/families/video.ts';
import type { Face } from '../../faces/face.ts';
import { medianHeight, moveFace } from '../../faces/face-outline.ts';
import { classifyBodies, faceInSquare } from '../../matting/body-classes.ts';
import { mattePeople } from '../../matting/matte.ts';
import type { Picture } from '../../pixels/picture.ts';
import type { Size } from '../../pixels/plane.ts';
import { clamp, smoothstep } from '../../pixels/scalar.ts';
import { panStart, planCamera, type RoomPlane, roomFor } from '../camera.ts';
import { aspectFor, cropPicture, cropWindow } from '../crop.ts';
import { closeEyes } from '../effects/blink.ts';
import { frameSize } from '../formats.ts';
import { frameFrom } from '../frame.ts';
import { planGestures } from '../gestures/plan-gestures.ts';
import { createParticleSpace } from '../particles/particle-space.ts';
import type { VideoOptions } from '../video.ts';
import { type FillMethod, fillBehind } from './fill.ts';
import type { Layer } from './layer-warp.ts';
import { matteOnPlate, peopleLayer, reliefOf, wholeMatte } from './people-layer.ts';
import { settleRim } from './people-outline.ts';
import { type Plate, plateOf, withinPlate } from './plate.ts';
import type { Stage } from './stage.ts';

/** Layers are this much finer than the frame: bilinear reading of them then neither blurs nor shimmers. */
const density: Record<VideoModel, number> = { simple: 1.5, advanced: 1.25, performance: 1.25 };

/** The network paints better what is deep behind people, for 2 s of a core and 400 MB while it does. */
const fillMethods: Record<VideoModel, FillMethod> = {
  simple: 'mirror',
  advanced: 'mirror',
  performance: 'network',
};

/** The photo's part that is in frame 0, and the frame's size. */
export function frameOf(photo: Size, faces: readonly Face[], { model, aspect, motion }: VideoOptions) {
  const format = aspect === 'auto' ? aspectFor(photo, faces) : aspect;
  const size = frameSize(format, model);
  const window = cropWindow(photo, faces, size, roomFor(motion));
  const aside = (panStart(motion, size) * window.width) / size.width;
  return { size, window: { ...window, x: clamp(window.x + aside, 0, photo.width - window.width) } };
}

/** Everything that the frames are made of: the photo in layers, and what moves. */
export async function setStage(
  photo: Picture,
  faces: readonly Face[],
  options: VideoOptions,
): Promise<Stage> {
  const { model, motion, frames, seed } = options;
  const { size, window } = frameOf(photo, faces, options);
  const scale = window.width / size.width;
  const placed = faces.map((face) =>
    moveFace(face, { scale: 1 / scale, x: -window.x / scale, y: -window.y / scale }),
  );
  const plate = plateOf(photo, window, size, density[model]);
  const picture = cropPicture(photo, plate.window, plate.size);
  const { scale: fineness, x, y } = plate.placement;
  const onPlate = faces.map((face) => moveFace(face, { scale: fineness, x, y }));
  const layered = model !== 'simple';
  const fine = model === 'performance';
  const cut =
    layered && faces.length > 0 ? await cutFrom(photo, faces, { picture, plate, onPlate }, options) : null;
  const back: Layer = {
    planes: frameFrom(cut?.behind ?? picture),
    alpha: null,
    alphaHalf: null,
    ...plate.place,
  };
  const room = layered ? roomOf(placed, size) : { top: 0, slope: 0 };
  const subject = cut ? nearnessOf(placed, size) : room.top + 0.5 * room.slope;
  const plane = cut && { top: subject, slope: 0 };
  const focus = focusOf(placed, size);
  const camera = planCamera(motion, { frames, size, focus, subject, layered, uncover: fine ? 1 : 0.65 });
  const bounds = {
    left: -back.left,
    top: -back.top,
    right: back.planes.width / back.density - back.left,
    bottom: back.planes.height / back.density - back.top,
  };
  const onLayer = cut ? facesOnLayer(placed, cut.layer) : [];
  const gestures =
    cut && planGestures(motion.gestures, { faces: placed, layer: cut.picture, onLayer, bounds });
  // Mouths are finer than what bodies do.
  const step = gestures && gestures.faces.length > 0 ? 8 : fine ? 12 : 16;
  return {
    size,
    frames,
    seed,
    camera: withinPlate(camera, size, back, plane ? [room, plane] : [room]),
    back,
    room,
    people: cut && {
      layer: cut.layer,
      plane: plane!,
      relief: reliefOf(cut.matte, cut.layer, placed, size, { step, fine }),
      eyes: fine ? closeEyes(cut.picture, onLayer) : [],
      gestures: gestures!,
      idleMotion: {
        people: placed.map(({ center, height }, i) => ({ ...center, height, phase: (0.37 * i) % 1 })),
        bounds,
        breeze: motion.effects.breeze ?? 0,
        yaw: fine ? 1 : 0,
      },
    },
    particles: layered ? motion.effects : {},
    particleSpace: createParticleSpace(
      { size, frames, focus, pivot: camera.pivot, subject, faces: placed },
      picture,
      onPlate,
    ),
    light: { frames, ambient: layered ? 1 : 0, sweep: layered ? (motion.effects['light sweep'] ?? 0) : 0 },
    step,
  };
}

function facesOnLayer(faces: readonly Face[], { left, top, density }: Layer): Face[] {
  const shift = (edge: number) => (edge + 0.5) * density - 0.5;
  return faces.map((face) => moveFace(face, { scale: density, x: shift(left), y: shift(top) }));
}

/** For faces this high in the network's square, one pass of the body classes over the photo is as good as more. */
const clearFace = 24;

/** Below this share of the faces seen as people, a layer of them would have holes. */
const leastCoverage = 0.6;

/** The people as a layer, and the picture without them; null where they cannot be told from what is behind. */
async function cutFrom(
  photo: Picture,
  faces: readonly Face[],
  {
    picture,
    plate: { place, placement },
    onPlate,
  }: { picture: Picture; plate: Plate; onPlate: readonly Face[] },
  { model, signal, progress }: VideoOptions,
) {
  const fast = model === 'advanced';
  const detail = faceInSquare(photo, faces) >= clearFace ? 'outline' : 'fast';
  const classes = fast ? { classes: await classifyBodies(photo, faces, { detail, signal }) } : {};
  const matte = await mattePeople(photo, faces, { fast, signal, ...classes });
  signal.throwIfAborted();
  progress(0.1);
  if (matte.coverage.every((share) => share < leastCoverage)) return null;
  const placed = matteOnPlate(picture, matte, placement, onPlate);
  if (!placed) return null;
  progress(0.15);
  const behind = await fillBehind(picture, wholeMatte(placed, picture), onPlate, fillMethods[model]);
  signal.throwIfAborted();
  settleRim(placed, placed.alpha, placed.core, picture, behind);
  progress(0.25);
  return { matte: placed, behind, ...peopleLayer(picture, behind, placed, place) };
}

/** The room behind people as one plane, so that its lines stay straight: the lower, the nearer, unless people fill it. */
function roomOf(faces: readonly Face[], size: Size): RoomPlane {
  const largest = Math.max(0.12 * size.height, ...faces.map((face) => face.height));
  return { top: 0, slope: 0.2 + 0.35 * smoothstep(0.34, 0.12, largest / size.height) };
}

/** The nearness of people whose faces are so large; whole bodies stand on the room's plane, or they would slide. */
function nearnessOf(faces: readonly Face[], size: Size): number {
  return 0.57 + 0.35 * smoothstep(0.08, 0.34, medianHeight(faces) / size.height);
}

/** Between the faces; without any, the middle. */
function focusOf(faces: readonly Face[], size: Size): { x: number; y: number } {
  if (faces.length === 0) return { x: size.width / 2, y: size.height / 2 };
  const mean = (of: (face: Face) => number) => faces.reduce((sum, face) => sum + of(face), 0) / faces.length;
  return { x: mean((face) => face.center.x), y: mean((face) => face.center.y) };
}
