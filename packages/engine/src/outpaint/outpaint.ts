import type { Silhouette } from '../matting/silhouette.ts';
import { miGan } from '../models/models.ts';
import { type InferenceSession, Tensor } from '../models/onnxruntime.ts';
import { withSession } from '../models/sessions.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Placement, Size } from '../pixels/plane.ts';
import { randomFrom } from '../pixels/random.ts';
import { resamplePicture, type Window } from '../pixels/resample.ts';
import { clamp, mix, smoothstep } from '../pixels/scalar.ts';

/**
 * The network paints 512 pixels at a time. At this reduction a square canvas takes one pass and the others two, each
 * with most of the photo in it; a reduction of 2 took four passes, for backgrounds that are out of focus anyway.
 */
const passSide = 512;
const reduction = 2.5;

/** How much smaller than the canvas the photo becomes, so that there is something to paint on every free side. */
const shrink = 0.86;

/** Pixels inside the photo's border, at working size, that are painted over: a photo's border is often dark or blurred. */
const overlap = 4;

/**
 * Pixels inside a window's border that the next window paints anew. The network draws a dark line where its window ends
 * in nothing: it was seen across skies and walls of every canvas that took two passes.
 */
const windowRim = 24;

/**
 * Places the photo on a larger canvas and paints what lies beyond its borders, in overlapping passes. People whom a
 * border cuts are not completed: `placeForOutpaint` keeps such a border on the canvas' own.
 */
export async function outpaint(
  photo: Picture,
  placement: Placement,
  canvas: Size,
  { seed, signal }: { seed: number; signal?: AbortSignal },
): Promise<Picture> {
  const small = { width: canvas.width / reduction, height: canvas.height / reduction };
  const work = placePhoto(photo, scalePlacement(placement, 1 / reduction), small);
  await withSession(miGan, async (network) => {
    for (const window of passWindows(work)) {
      signal?.throwIfAborted();
      await paintWindow(network, work, window);
    }
  });
  const painted = resamplePicture(work.picture, { x: 0, y: 0, ...small }, canvas);
  const { picture, photoFrame } = placePhoto(photo, placement, canvas);
  blendPainted(picture, painted, photoFrame, seed);
  return picture;
}

/** Where the photo goes on the canvas when it is to be expanded. */
export function placeForOutpaint(people: Silhouette, canvas: Size): Placement {
  const cut = (side: keyof Silhouette['cut']) => people.cut[side].share > 0.015;
  const contain = Math.min(canvas.width / people.width, canvas.height / people.height);
  let scale = contain * shrink;
  if (cut('left') && cut('right')) scale = canvas.width / people.width;
  const restX = canvas.width - people.width * scale;
  const restY = canvas.height - people.height * scale;
  const x =
    cut('left') && cut('right')
      ? restX / 2
      : cut('left')
        ? Math.min(0, restX)
        : cut('right')
          ? Math.max(0, restX)
          : restX / 2;
  const y = cut('bottom') ? restY : cut('top') ? 0 : restY * 0.6;
  return { scale, x, y };
}

interface Frame {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Outpainting {
  picture: Picture;
  /** The part that the photo covers. */
  photoFrame: Frame;
  /** 1 where a pixel is of the photo or painted already. */
  done: Uint8Array;
}

function scalePlacement({ scale, x, y }: Placement, by: number): Placement {
  return { scale: scale * by, x: x * by, y: y * by };
}

/** The photo on the canvas. Beyond it, its border pixels repeat, which keeps black out of the network's blending. */
function placePhoto(photo: Picture, { scale, x: left, y: top }: Placement, canvas: Size): Outpainting {
  const { width, height } = canvas;
  const window = { x: -left / scale, y: -top / scale, width: width / scale, height: height / scale };
  const picture = resamplePicture(photo, window, canvas);
  const right = left + photo.width * scale;
  const bottom = top + photo.height * scale;
  const done = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    if (top > 0 && y < top + overlap) continue;
    if (bottom < height && y > bottom - 1 - overlap) continue;
    for (let x = 0; x < width; x++) {
      if (left > 0 && x < left + overlap) continue;
      if (right < width && x > right - 1 - overlap) continue;
      done[y * width + x] = 1;
    }
  }
  return { picture, photoFrame: { left, top, right, bottom }, done };
}

/** Windows that cover the canvas, those with most of the photo in them first. */
function passWindows({ picture, photoFrame: { left, top, right, bottom } }: Outpainting): Window[] {
  const starts = (length: number) => {
    const count = Math.max(1, Math.ceil((length - passSide) / (0.8 * passSide)) + 1);
    return Array.from({ length: count }, (_, i) =>
      count === 1 ? 0 : Math.round(((length - passSide) * i) / (count - 1)),
    );
  };
  const width = Math.min(passSide, picture.width);
  const height = Math.min(passSide, picture.height);
  const windows = starts(picture.height).flatMap((y) =>
    starts(picture.width).map((x) => ({ x, y, width, height })),
  );
  const photoPixels = ({ x, y }: Window) =>
    Math.max(0, Math.min(x + width, right) - Math.max(x, left)) *
    Math.max(0, Math.min(y + height, bottom) - Math.max(y, top));
  return windows.sort((a, b) => photoPixels(b) - photoPixels(a));
}

/** Runs the network on one window and writes what it painted into the picture. */
async function paintWindow(
  network: InferenceSession,
  { picture, done }: Outpainting,
  window: Window,
): Promise<void> {
  const { width, height } = window;
  const { planes } = picture;
  const count = width * height;
  const image = new Uint8Array(3 * count);
  const mask = new Uint8Array(count);
  let open = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y + window.y) * picture.width + x + window.x;
      const to = y * width + x;
      // The network takes 255 for known pixels and 0 for those to be painted.
      mask[to] = done[from] === 1 ? 255 : 0;
      open += 1 - done[from]!;
      for (let c = 0; c < 3; c++) image[c * count + to] = clamp(Math.round(planes[c]![from]! * 255), 0, 255);
    }
  }
  if (open === 0) return;
  const outputs = await network.run({
    image: new Tensor('uint8', image, [1, 3, height, width]),
    mask: new Tensor('uint8', mask, [1, 1, height, width]),
  });
  const painted = outputs.result!.data as Uint8Array;
  const settled = {
    left: window.x > 0 ? windowRim : 0,
    top: window.y > 0 ? windowRim : 0,
    right: window.x + width < picture.width ? width - windowRim : width,
    bottom: window.y + height < picture.height ? height - windowRim : height,
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const to = (y + window.y) * picture.width + x + window.x;
      if (done[to] === 1) continue;
      for (let c = 0; c < 3; c++) planes[c]![to] = painted[c * count + y * width + x]! / 255;
      if (x >= settled.left && x < settled.right && y >= settled.top && y < settled.bottom) done[to] = 1;
    }
  }
}

/** Adds what was painted around the photo, with a soft seam and grain on the painted part, which has none. In place. */
function blendPainted(
  { width, height, planes }: Picture,
  painted: Picture,
  frame: Frame,
  seed: number,
): void {
  const seam = 2 * overlap * reduction;
  const random = randomFrom(seed);
  const [red, green, blue] = planes;
  const [paintedRed, paintedGreen, paintedBlue] = painted.planes;
  const across = Float32Array.from({ length: width }, (_, x) =>
    Math.min(frame.left > 0 ? x - frame.left : seam, frame.right < width ? frame.right - 1 - x : seam),
  );
  for (let y = 0; y < height; y++) {
    const down = Math.min(
      frame.top > 0 ? y - frame.top : seam,
      frame.bottom < height ? frame.bottom - 1 - y : seam,
    );
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const inside = Math.min(across[x]!, down);
      if (inside >= seam) continue;
      const own = smoothstep(1, seam, inside);
      const grain = (random() + random() - 1) * 0.012 * (1 - own);
      red[i] = clamp(mix(paintedRed[i]!, red[i]!, own) + grain, 0, 1);
      green[i] = clamp(mix(paintedGreen[i]!, green[i]!, own) + grain, 0, 1);
      blue[i] = clamp(mix(paintedBlue[i]!, blue[i]!, own) + grain, 0, 1);
    }
  }
}
