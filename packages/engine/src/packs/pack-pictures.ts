import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ratio } from '@guise/contract/common.ts';
import { canvasSizes } from '@guise/contract/families/canvas.ts';
import { shapeProblem } from '@guise/contract/families/image-shape.ts';
import sharp from 'sharp';
import { type Costume, chooseVariant, layerFiles } from '../costume/costumes.ts';
import type { Size } from '../pixels/plane.ts';
import { RenderError } from '../runtime/render-error.ts';
import type { Scene } from '../scenes/scenes.ts';

/** The largest file of a picture, in bytes. Pictures are read for every job, and 400 KB are plenty for a plate. */
const largestPicture = 4_000_000;
const formats = ['webp', 'png', 'jpeg'];

interface PictureFacts extends Size {
  /** The least and greatest opacity, 0 to 255. */
  alpha: { min: number; max: number };
  grey: boolean;
}

/** Decodes every picture of a scene and refuses what the engine could not use. */
export async function checkScenePictures(scene: Scene): Promise<void> {
  for (const ratio of Object.keys(canvasSizes) as Ratio[]) {
    const canvas = canvasSizes[ratio];
    const wanted = `${canvas.width}×${canvas.height}`;
    const plate = join(scene.folder, scene.plates[ratio]);
    const { width, height } = await readFacts(plate);
    if (width < canvas.width || height < canvas.height) {
      throw brokenFile(
        plate,
        `is ${width}×${height}; a ${ratio} plate has at least ${wanted}. Render it larger`,
      );
    }
    assertShape(plate, { width, height }, ratio);
    const front = scene.foreground?.[ratio];
    if (front) await checkForeground(join(scene.folder, front), ratio);
    const barrier = scene.barrier?.[ratio];
    if (barrier) await checkForeground(join(scene.folder, barrier), ratio);
    const depth = scene.depth?.[ratio];
    if (depth) await checkDepth(join(scene.folder, depth), ratio);
  }
}

async function checkForeground(file: string, ratio: Ratio): Promise<void> {
  const facts = await readFacts(file);
  assertShape(file, facts, ratio);
  if (facts.alpha.min === 255) {
    throw brokenFile(
      file,
      'has no transparent part and would hide everybody. Save it with its alpha channel',
    );
  }
}

async function checkDepth(file: string, ratio: Ratio): Promise<void> {
  const facts = await readFacts(file);
  assertShape(file, facts, ratio);
  if (!facts.grey)
    throw brokenFile(file, 'is coloured; a depth map is grey, white is nearest. Save it in greys');
}

function assertShape(file: string, size: Size, ratio: Ratio): void {
  const { width, height } = canvasSizes[ratio];
  if (Math.abs(Math.log(((size.width / size.height) * height) / width)) < 0.015) return;
  throw brokenFile(
    file,
    `does not have the shape ${width}:${height} of a ${ratio} picture. Crop it to that shape`,
  );
}

/** Decodes every layer of a costume and refuses layers that do not match and measures outside of them. */
export async function checkCostumePictures(costume: Costume): Promise<void> {
  const { canvas } = costume;
  for (const name of layerFiles(costume)) {
    const file = join(costume.folder, name);
    const { width, height, alpha } = await readFacts(file);
    if (width !== canvas.width || height !== canvas.height) {
      throw brokenFile(
        file,
        `is ${width}×${height}, the front layer ${canvas.width}×${canvas.height}. Layers share one canvas`,
      );
    }
    if (width < 800 || height < 1200) {
      throw brokenFile(file, `is ${width}×${height}; a costume has at least 800×1200. Render it larger`);
    }
    if (alpha.min === 255) {
      throw brokenFile(
        file,
        'has no transparent part and would hide the guest. Save it with its alpha channel',
      );
    }
    if (alpha.max === 0) throw brokenFile(file, 'is wholly transparent. Leave it out or render it again');
  }
  const json = join(costume.folder, 'costume.json');
  for (const gender of [undefined, 0, 1, 2, 3]) {
    const { head, opening } = chooseVariant(costume, gender);
    const [x, y] = head.chin;
    if (x < 0 || x > canvas.width || y < head.faceHeight || y > canvas.height) {
      throw brokenFile(json, 'head.chin with head.faceHeight lies outside of the layers. Measure them anew');
    }
    if (opening.left < 0 || opening.right > canvas.width || opening.rim < 0 || opening.rim > canvas.height) {
      throw brokenFile(json, 'opening lies outside of the layers. Measure it anew');
    }
  }
}

/** Decodes the whole picture, so that a truncated or damaged one is noticed. */
async function readFacts(file: string): Promise<PictureFacts> {
  const { size } = await stat(file);
  if (size > largestPicture) {
    throw brokenFile(
      file,
      `has ${megabytes(size)}, more than the ${megabytes(largestPicture)} a picture may have. Save it as WebP`,
    );
  }
  try {
    const picture = sharp(file, { failOn: 'warning', limitInputPixels: 6000 * 6000 });
    const { format, width, height } = await picture.metadata();
    if (!formats.includes(format)) throw new Error(`is ${format}`);
    const problem = shapeProblem({ width, height });
    if (problem) throw brokenFile(file, problem);
    return { width, height, ...factsOf(await picture.raw().toBuffer({ resolveWithObject: true })) };
  } catch (cause) {
    if (cause instanceof RenderError) throw cause;
    throw brokenFile(
      file,
      'cannot be read as a WebP, PNG or JPEG picture; it may be damaged. Save it again',
      cause,
    );
  }
}

/** By hand: the statistics of sharp measure entropy and sharpness too, which takes ten times as long as decoding. */
function factsOf({ data, info }: { data: Buffer; info: { channels: number } }) {
  const { channels } = info;
  const alpha = channels % 2 === 0 ? { min: 255, max: 0 } : { min: 255, max: 255 };
  const sums = [0, 0, 0];
  for (let i = 0; i < data.length; i += channels) {
    if (channels > 2) for (let c = 0; c < 3; c++) sums[c] = sums[c]! + data[i + c]!;
    if (channels % 2 === 1) continue;
    const opacity = data[i + channels - 1]!;
    if (opacity < alpha.min) alpha.min = opacity;
    if (opacity > alpha.max) alpha.max = opacity;
  }
  const spread = Math.max(...sums) - Math.min(...sums);
  return { alpha, grey: spread / (data.length / channels) < 3 };
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

function brokenFile(file: string, problem: string, cause?: unknown): RenderError {
  return new RenderError('CATALOG_BROKEN', `${file}: ${problem}.`, { cause });
}
