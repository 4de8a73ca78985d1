import type { Notes } from '@guise/contract/notes.ts';
import type { Face } from '../../faces/face.ts';
import { moveFace } from '../../faces/face-outline.ts';
import { findFaces, withoutBystanders } from '../../faces/faces.ts';
import { mattePeople } from '../../matting/matte.ts';
import { readPhoto } from '../../pixels/photo.ts';
import type { Picture } from '../../pixels/picture.ts';
import { mapToBytes, type Size } from '../../pixels/plane.ts';
import { resample, type Window } from '../../pixels/resample.ts';
import { clamp } from '../../pixels/scalar.ts';
import { makeClip } from '../clip.ts';
import { aspectFor, cropPicture, cropWindow } from '../crop.ts';
import { frameSize, qualities } from '../formats.ts';
import { frameFrom } from '../frame.ts';
import { startFrameThreads } from '../frame-threads.ts';
import type { Layer } from '../layers/layer-warp.ts';
import { notBetween, notesBetween } from '../motion-notes.ts';
import type { Motion } from '../motion-words.ts';
import { createParticleSpace, type ParticleSpace } from '../particles/particle-space.ts';
import type { VideoOptions } from '../video.ts';
import type { ApartFrame, BetweenStage } from './between-renderer.ts';
import { startComparer } from './comparer.ts';
import type { FrameCarrier, WholeFrame } from './frame-carrier.ts';
import { withoutPeople } from './ground.ts';
import type { GreyImage } from './opencv.ts';
import { planPassage } from './passage-plan.ts';

/** The longer side of the grid that frames are compared on. */
const gridSide = 512;

/** Layers are this much finer than the frame: bilinear reading of them then neither blurs nor shimmers. */
const density = 1.5;

/** The photo's longest side: as much as the layers show of it. */
const photoSide = 1920;

/** A video that begins with one photo and ends with another. */
export async function renderFirstToLast(
  [first, last]: readonly string[],
  options: VideoOptions,
  carrier: FrameCarrier,
): Promise<Notes> {
  const { model, motion, signal, progress } = options;
  const comparer = startComparer(signal);
  try {
    const start = await readFrame(first!, signal);
    progress(0.05);
    const end = await readFrame(last!, signal);
    progress(0.1);
    const format = options.aspect === 'auto' ? aspectFor(start.photo, start.faces) : options.aspect;
    const size = frameSize(format, model);
    const [one, other] = [cropFrame(start, size), cropFrame(end, size)];
    const { apart } = await comparer.relate({
      first: one.grey,
      last: other.grey,
      faces: { first: one.facesOnGrid, last: other.facesOnGrid },
      scale: one.scale,
    });
    progress(0.15);
    const cut = apart ? [await cutFrame(start, one, signal), await cutFrame(end, other, signal)] : null;
    const comparison = await comparer.compare(cut && { first: cut[0]!.mask, last: cut[1]!.mask });
    await comparer.close();
    signal.throwIfAborted();
    progress(0.25);
    const frames = [one, other].map(({ picture, faces }) => ({
      picture,
      faces: faces.map((face) => moveFace(face, { scale: density, x: 0, y: 0 })),
    })) as [WholeFrame, WholeFrame];
    if (!comparison.related && mayBeCarried(motion) && (await carrier.fits(...frames))) {
      const clip = { file: options.file, size, frames: options.frames, quality: qualities[model], signal };
      await carrier.make(...frames, { ...clip, progress: (done) => progress(0.25 + 0.75 * done) });
      const { applied, ignored } = notesBetween(motion);
      return { applied: [{ kind: 'morph' }, ...applied], ignored };
    }
    const { passage, applied, ignored } = planPassage(comparison, motion, size, {
      first: one.faces,
      last: other.faces,
    });
    const stage: BetweenStage = {
      size,
      frames: options.frames,
      first: one.layer,
      last: other.layer,
      apart: passage.people && cut && { first: cut[0]!, last: cut[1]! },
      passage,
      seed: options.seed,
      particles: Object.fromEntries(
        Object.entries(motion.effects).filter(([effect]) => !notBetween.has(effect)),
      ),
      particleSpace: particleSpaceFrom(one, size, options.frames),
      sweep: motion.effects['light sweep'] ?? 0,
    };
    await makeClip({
      file: options.file,
      size,
      frames: options.frames,
      quality: qualities[model],
      threads: startFrameThreads(new URL('./between-renderer.ts', import.meta.url)),
      data: stage,
      signal,
      progress: (done) => progress(0.25 + 0.75 * done),
    });
    return { applied, ignored };
  } finally {
    await comparer.close();
  }
}

/** A prompt that asks for a transition, or for what is painted over the frames, is followed as it is between any others. */
function mayBeCarried({ transition, effects }: Motion): boolean {
  return (
    (transition === null || transition === 'morph') &&
    Object.keys(effects).every((effect) => notBetween.has(effect))
  );
}

/** Particles are lit and scaled as in the first frame, before a camera that stands. */
function particleSpaceFrom({ faces, picture }: CroppedFrame, size: Size, frames: number): ParticleSpace {
  const focus = { x: size.width / 2, y: size.height / 2 };
  const placed = faces.map((face) => moveFace(face, { scale: density, x: 0, y: 0 }));
  return createParticleSpace({ size, frames, focus, pivot: 0, subject: 0.7, faces }, picture, placed);
}

interface ReadFrame {
  photo: Picture;
  faces: Face[];
}

async function readFrame(file: string, signal: AbortSignal): Promise<ReadFrame> {
  const photo = await readPhoto(file, photoSide);
  signal.throwIfAborted();
  const faces = withoutBystanders(await findFaces(photo, { traits: false, irises: false }));
  signal.throwIfAborted();
  return { photo, faces };
}

interface CroppedFrame {
  window: Window;
  /** As fine as its layer. */
  picture: Picture;
  layer: Layer;
  /** In the frame's pixels. */
  faces: Face[];
  grey: GreyImage;
  facesOnGrid: Face[];
  /** The frame's pixels for one of the grid. */
  scale: number;
}

/** The part of the photo that fills the frame, laid around its people. */
export function cropFrame({ photo, faces }: ReadFrame, size: Size): CroppedFrame {
  const window = cropWindow(photo, faces, size);
  const fine = { width: size.width * density, height: size.height * density };
  const picture = cropPicture(photo, window, fine);
  const perFrame = size.width / window.width;
  const placed = faces.map((face) =>
    moveFace(face, { scale: perFrame, x: -window.x * perFrame, y: -window.y * perFrame }),
  );
  const scale = Math.max(size.width, size.height) / gridSide;
  const grid = { width: Math.round(size.width / scale), height: Math.round(size.height / scale) };
  return {
    window,
    picture,
    layer: { planes: frameFrom(picture), alpha: null, alphaHalf: null, density, left: 0, top: 0 },
    faces: placed,
    grey: greyOf(picture, grid),
    // The middle of the grid's first pixel is its 0; the frame's points count from its corner.
    facesOnGrid: placed.map((face) => moveFace(face, { scale: 1 / scale, x: -0.5, y: -0.5 })),
    scale,
  };
}

/** The frame's people and what is behind them, as layers, and where they are on the grid. */
async function cutFrame(
  { photo, faces }: ReadFrame,
  { window, picture, layer, grey }: CroppedFrame,
  signal: AbortSignal,
): Promise<ApartFrame & { mask: Float32Array }> {
  const matte = await mattePeople(photo, faces, { fast: true, signal });
  signal.throwIfAborted();
  const part = {
    x: window.x / matte.factor,
    y: window.y / matte.factor,
    width: window.width / matte.factor,
    height: window.height / matte.factor,
  };
  const at = (width: number, height: number) => {
    const plane = resample(matte, part, { width, height }).data;
    for (let i = 0; i < plane.length; i++) plane[i] = clamp(plane[i]!, 0, 1);
    return plane;
  };
  const alpha = at(picture.width, picture.height);
  return {
    people: {
      ...layer,
      alpha: bytesOf(alpha),
      alphaHalf: bytesOf(at(picture.width / 2, picture.height / 2)),
    },
    ground: { ...layer, planes: frameFrom(withoutPeople(picture, alpha)) },
    mask: at(grey.width, grey.height),
  };
}

function bytesOf(plane: Float32Array): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(plane.length));
  for (let i = 0; i < plane.length; i++) bytes[i] = Math.round(255 * plane[i]!);
  return bytes;
}

function greyOf({ width, height, planes }: Picture, grid: Size): GreyImage {
  const luma = new Float32Array(width * height);
  for (let i = 0; i < luma.length; i++) {
    luma[i] = 0.2126 * planes[0][i]! + 0.7152 * planes[1][i]! + 0.0722 * planes[2][i]!;
  }
  const small = resample({ width, height, data: luma }, { x: 0, y: 0, width, height }, grid).data;
  const data = mapToBytes(small, (value) => Math.max(0, Math.min(255, Math.round(value * 255))));
  return { ...grid, data };
}
