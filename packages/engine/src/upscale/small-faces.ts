import type { Face } from '../faces/face.ts';
import { ovalBounds } from '../faces/face-outline.ts';
import type { InferenceSession } from '../models/onnxruntime.ts';
import { withFileSession } from '../models/sessions.ts';
import { workingSide } from '../pixels/photo.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Placement, Size } from '../pixels/plane.ts';
import { resamplePicture, type Window } from '../pixels/resample.ts';
import { smoothstep } from '../pixels/scalar.ts';
import { inputMultiple, type UpscaleModel, upscaleFactor, upscaleWindow } from './upscale-network.ts';

/** With less enlargement a photo's own pixels do. */
const leastEnlargement = 1.8;

/** What the network draws for one picture at most: 100,000 pixels take it about 7 s on two cores. */
const mostPixels = 100_000;

/** A photo at twice its size, and where points of the photo lie in it. */
export interface UpscaledPhoto {
  photo: Picture;
  placement: Placement;
}

/**
 * A photo at twice its size, with the guests' heads drawn by the network and, of somebody alone, as much of the body as
 * it has time for. Null where guests are not enlarged much, or are too many: the photo is used as it is then.
 */
export async function upscaleGuests(
  photo: Picture,
  guests: readonly Face[],
  enlargement: number,
  model: UpscaleModel,
): Promise<UpscaledPhoto | null> {
  const fits = upscaleFactor * Math.max(photo.width, photo.height) <= workingSide;
  const parts = enlargement < leastEnlargement || !fits ? [] : guestParts(photo, guests);
  if (parts.length === 0) return null;
  const frame = { x: 0, y: 0, width: photo.width, height: photo.height };
  return upscaleFrame(photo, frame, parts, model);
}

/** What a swap reads of a photo, at twice its size, with the face drawn by the network; null where it is not enlarged much. */
export async function upscaleFace(
  photo: Picture,
  face: Face,
  enlargement: number,
  model: UpscaleModel,
): Promise<UpscaledPhoto | null> {
  const part = ovalWindow(photo, face, 0.1);
  if (enlargement < leastEnlargement || part.width * part.height > mostPixels) return null;
  return upscaleFrame(photo, ovalWindow(photo, face, 0.6), [part], model);
}

function guestParts(photo: Size, guests: readonly Face[]): Window[] {
  const heads = guests.map((face) => around(photo, face, { beside: 1.15, above: 1.15, below: 1.15 }));
  if (heads.reduce((sum, { width, height }) => sum + width * height, 0) > mostPixels) return [];
  const [face, ...others] = guests;
  if (!face || others.length > 0) return heads;
  const beside = 1.6;
  const rows = mostPixels / (2 * beside * face.height);
  const below = Math.min(4.5, rows / face.height - 1.15);
  return below > 1.15 ? [around(photo, face, { beside, above: 1.15, below })] : heads;
}

/** A window around a face, in its heights. */
function around(
  photo: Size,
  { center, height }: Face,
  { beside, above, below }: { beside: number; above: number; below: number },
): Window {
  return wholePixels(photo, {
    left: center.x - beside * height,
    right: center.x + beside * height,
    top: center.y - above * height,
    bottom: center.y + below * height,
  });
}

/** The face's oval with a margin, in its heights. */
function ovalWindow(photo: Size, face: Face, margin: number): Window {
  const { left, right, top, bottom } = ovalBounds(face);
  const beside = margin * face.height;
  return wholePixels(photo, {
    left: left - beside,
    right: right + beside,
    top: top - beside,
    bottom: bottom + beside,
  });
}

interface Borders {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The part of these borders that lies in the photo, its sides multiples of what the network takes. */
function wholePixels(photo: Size, { left, right, top, bottom }: Borders): Window {
  const x = Math.max(0, Math.floor(left));
  const y = Math.max(0, Math.floor(top));
  const length = (from: number, to: number, most: number) => {
    const count = Math.min(most, Math.ceil(to)) - from;
    return Math.max(0, count - (count % inputMultiple));
  };
  return { x, y, width: length(x, right, photo.width), height: length(y, bottom, photo.height) };
}

function upscaleFrame(
  photo: Picture,
  frame: Window,
  parts: readonly Window[],
  { network }: UpscaleModel,
): Promise<UpscaledPhoto> {
  return withFileSession(network, async (session) => {
    const size = { width: upscaleFactor * frame.width, height: upscaleFactor * frame.height };
    const larger = resamplePicture(photo, frame, size);
    for (const part of parts) await drawPart(session, photo, part, { larger, frame });
    const half = (upscaleFactor - 1) / 2;
    const placement = {
      scale: upscaleFactor,
      x: half - upscaleFactor * frame.x,
      y: half - upscaleFactor * frame.y,
    };
    return { photo: larger, placement };
  });
}

/** The share of a part's shorter side over which it passes into what lies beside it. */
const softBorder = 0.1;

async function drawPart(
  session: InferenceSession,
  photo: Picture,
  part: Window,
  { larger, frame }: { larger: Picture; frame: Window },
): Promise<void> {
  const { width, height, planes } = await upscaleWindow(session, photo, part);
  const across = fadeIn(part.x, part.width, photo.width);
  const down = fadeIn(part.y, part.height, photo.height);
  const soft = softBorder * Math.min(width, height);
  const left = upscaleFactor * (part.x - frame.x);
  const top = upscaleFactor * (part.y - frame.y);
  for (let y = 0, i = 0; y < height; y++) {
    let at = (top + y) * larger.width + left;
    for (let x = 0; x < width; x++, i++, at++) {
      const share = smoothstep(0, soft, Math.min(across(x), down(y)));
      larger.planes.forEach((plane, p) => {
        plane[at]! += share * (planes[p]![i]! - plane[at]!);
      });
    }
  }
}

/** How far a pixel of an enlarged part is from the ends that lie inside the photo. */
function fadeIn(from: number, length: number, photoLength: number): (at: number) => number {
  const startsInside = from > 0;
  const endsInside = from + length < photoLength - inputMultiple;
  return (at) =>
    Math.min(startsInside ? at : Infinity, endsInside ? upscaleFactor * length - 1 - at : Infinity);
}
