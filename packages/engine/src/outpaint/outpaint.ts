import { type InferenceSession, Tensor } from 'onnxruntime-node';
import type { Silhouette } from '../matting/silhouette.ts';
import { miGan } from '../models/models.ts';
import { withSession } from '../models/sessions.ts';
import type { Picture, Planes } from '../pixels/picture.ts';
import type { Placement, Size } from '../pixels/plane.ts';
import { randomFrom } from '../pixels/random.ts';
import { resamplePicture } from '../pixels/resample.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';

/**
 * The network paints 512 pixels at a time. At this reduction a square canvas takes one look and the others two, each
 * with most of the photo in it; at 2 it was four, for backgrounds that are out of focus anyway.
 */
const look = 512;
const reduction = 2.5;

/** How much smaller than the canvas the photo becomes, so that something is painted on every free side. */
const shrink = 0.86;

/** Pixels of the photo, at working size, that are painted over too: its own last ones are often dark or blurred. */
const overlap = 4;

/**
 * Lays the photo on a larger canvas and paints what lies beyond its frame, in overlapping looks. Sides where the
 * frame cuts people stay at the canvas' border: nobody gets an arm that is not theirs.
 */
export async function outpaint(
  photo: Picture,
  placement: Placement,
  canvas: Size,
  seed: number,
  signal?: AbortSignal,
): Promise<Picture> {
  const small = { width: canvas.width / reduction, height: canvas.height / reduction };
  const base = layPhoto(photo, scaled(placement, 1 / reduction), small);
  await withSession(miGan, async (network) => {
    for (const window of windowsOf(small, base.known)) {
      signal?.throwIfAborted();
      await paint(network, base, small, window);
    }
  });
  const whole = { x: 0, y: 0, width: small.width, height: small.height };
  const painted = resamplePicture({ ...small, planes: base.planes }, whole, canvas).planes;
  const full = layPhoto(photo, placement, canvas);
  blend(full.planes, painted, canvas, frameOf(photo, placement), seed);
  return { ...canvas, planes: full.planes };
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

interface Base {
  planes: Planes;
  /** The part that the photo covers. */
  known: Frame;
  /** 1 where a pixel is of the photo or painted. */
  done: Uint8Array;
}

function scaled({ scale, x, y }: Placement, by: number): Placement {
  return { scale: scale * by, x: x * by, y: y * by };
}

function frameOf(photo: Picture, { scale, x, y }: Placement): Frame {
  return { left: x, top: y, right: x + photo.width * scale, bottom: y + photo.height * scale };
}

/** The photo on the canvas; beyond its frame its border goes on, which keeps black out of the network's blending. */
function layPhoto(photo: Picture, placement: Placement, canvas: Size): Base {
  const window = {
    x: -placement.x / placement.scale,
    y: -placement.y / placement.scale,
    width: canvas.width / placement.scale,
    height: canvas.height / placement.scale,
  };
  const planes = resamplePicture(photo, window, canvas).planes;
  const known = frameOf(photo, placement);
  const done = new Uint8Array(canvas.width * canvas.height);
  for (let y = 0; y < canvas.height; y++) {
    if (known.top > 0 && y < known.top + overlap) continue;
    if (known.bottom < canvas.height && y > known.bottom - 1 - overlap) continue;
    for (let x = 0; x < canvas.width; x++) {
      if (known.left > 0 && x < known.left + overlap) continue;
      if (known.right < canvas.width && x > known.right - 1 - overlap) continue;
      done[y * canvas.width + x] = 1;
    }
  }
  return { planes, known, done };
}

/** Squares that cover what is to be painted, the ones with most of the photo in them first. */
function windowsOf(canvas: Size, known: Frame): { x: number; y: number; width: number; height: number }[] {
  const starts = (length: number) => {
    const count = Math.max(1, Math.ceil((length - look) / (0.8 * look)) + 1);
    return Array.from({ length: count }, (_, i) =>
      count === 1 ? 0 : Math.round(((length - look) * i) / (count - 1)),
    );
  };
  const width = Math.min(look, canvas.width);
  const height = Math.min(look, canvas.height);
  const all = starts(canvas.height).flatMap((y) =>
    starts(canvas.width).map((x) => ({ x, y, width, height })),
  );
  const share = ({ x, y }: { x: number; y: number }) =>
    Math.max(0, Math.min(x + width, known.right) - Math.max(x, known.left)) *
    Math.max(0, Math.min(y + height, known.bottom) - Math.max(y, known.top));
  return all.sort((a, b) => share(b) - share(a));
}

async function paint(
  network: InferenceSession,
  base: Base,
  canvas: Size,
  window: { x: number; y: number; width: number; height: number },
): Promise<void> {
  const { width, height } = window;
  const count = width * height;
  const image = new Uint8Array(3 * count);
  const mask = new Uint8Array(count);
  let open = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y + window.y) * canvas.width + x + window.x;
      const to = y * width + x;
      // 255 is known to the network, 0 is to be painted.
      mask[to] = base.done[from] === 1 ? 255 : 0;
      open += 1 - base.done[from]!;
      for (let c = 0; c < 3; c++)
        image[c * count + to] = clamp(Math.round(base.planes[c]![from]! * 255), 0, 255);
    }
  }
  if (open === 0) return;
  const result = await network.run({
    image: new Tensor('uint8', image, [1, 3, height, width]),
    mask: new Tensor('uint8', mask, [1, 1, height, width]),
  });
  const answer = result.result!.data as Uint8Array;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const to = (y + window.y) * canvas.width + x + window.x;
      if (base.done[to] === 1) continue;
      for (let c = 0; c < 3; c++) base.planes[c]![to] = answer[c * count + y * width + x]! / 255;
      base.done[to] = 1;
    }
  }
}

/** The photo as it is inside its frame, what was painted outside, a soft seam between, and grain on what is too clean. */
function blend(photo: Planes, painted: Planes, canvas: Size, frame: Frame, seed: number): void {
  const seam = 2 * overlap * reduction;
  const random = randomFrom(seed);
  const [red, green, blue] = photo;
  const across = Float32Array.from({ length: canvas.width }, (_, x) =>
    Math.min(frame.left > 0 ? x - frame.left : seam, frame.right < canvas.width ? frame.right - 1 - x : seam),
  );
  for (let y = 0; y < canvas.height; y++) {
    const down = Math.min(
      frame.top > 0 ? y - frame.top : seam,
      frame.bottom < canvas.height ? frame.bottom - 1 - y : seam,
    );
    for (let x = 0, i = y * canvas.width; x < canvas.width; x++, i++) {
      const inside = Math.min(across[x]!, down);
      if (inside >= seam) continue;
      const own = smoothstep(1, seam, inside);
      const grain = (random() + random() - 1) * 0.012 * (1 - own);
      red[i] = clamp(mix(painted[0][i]!, red[i]!, own) + grain, 0, 1);
      green[i] = clamp(mix(painted[1][i]!, green[i]!, own) + grain, 0, 1);
      blue[i] = clamp(mix(painted[2][i]!, blue[i]!, own) + grain, 0, 1);
    }
  }
}

function mix(a: number, b: number, share: number): number {
  return a + (b - a) * share;
}
