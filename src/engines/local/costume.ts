import { join } from 'node:path';
import sharp from 'sharp';
import { cannotMake } from '../engine.ts';
import { gaussianBlur } from './blur.ts';
import { clamp, type Planes, toLinear } from './colour.ts';
import type { Composed } from './compose.ts';
import { cutHead, shadeNeck, taperIntoCollar, tuckUnderHood, type Worn } from './costume-head.ts';
import type { Costume } from './costumes.ts';
import type { Cutout } from './cutout.ts';
import { pointOf } from './face-outline.ts';
import type { Size } from './framing.ts';
import { harmonise, photoIlluminant } from './harmonise.ts';
import { wrapLight } from './light-wrap.ts';
import type { PeoplePhoto } from './people.ts';
import { pictureFromBytes } from './photo.ts';
import type { Face } from './picture.ts';
import { type PlateLight, type Rgb, unitLuminance } from './plate-light.ts';
import { relight } from './relight.ts';
import { sampleThrough } from './resample.ts';
import { type ComposeOptions, finishScenery, openScenery } from './scenery.ts';
import { type Overlay, readForeground, type Scene, type SceneLight } from './scenes.ts';
import { beginStage } from './stage.ts';

/** Below this face height, in photo pixels, the enlarged head looks soft beside the costume. */
const leastFace = 100;

/** Share of the place beside the head that wide hair may take. */
const mostBeside = 0.25;

/** Where the costume's canvas lies on the picture's. */
interface Fit {
  scale: number;
  x: number;
  y: number;
}

/** Puts a guest's head into a costume, in a scene. The head keeps its own pose, so nothing about it is bent. */
export async function composeInCostume(
  people: PeoplePhoto,
  face: Face,
  costume: Costume,
  scene: Scene,
  options: ComposeOptions,
): Promise<Composed> {
  if (face.height < leastFace) {
    throw cannotMake(
      'The face in the photo is too small for a costume. Come closer to the camera and try again.',
    );
  }
  if (handsAtHead(people, face)) {
    throw cannotMake('There is a hand at the head. Put your hands down and try again.');
  }
  if (cutBesideFace(people, face)) {
    throw cannotMake(
      'The head is cut off at the side of the photo. Step back from the camera and try again.',
    );
  }
  const { signal, progress } = options;
  beginStage('plate');
  const scenery = await openScenery(scene, options);
  const { backdrop, light, plateLight } = scenery;
  const { width, height, colour: canvas } = scenery.canvas;
  const layers = await readLayers(costume, backdrop);
  signal?.throwIfAborted();
  progress?.(0.2);

  const gain = costumeGain(costume, light, plateLight);
  const worn = wornAt(costume, layers.fit);
  beginStage('cut out');
  const head = cutHead(people, face, worn, backdrop);
  signal?.throwIfAborted();
  beginStage('light');
  harmonise(head, plateLight, light, photoIlluminant(people.photo));
  relight(head, backdrop, light);
  taperIntoCollar(head, worn);
  if (costume.hooded) tuckUnderHood(head, worn, layers, width);
  shadeNeck(head, worn);
  progress?.(0.6);

  const dressed = new Float32Array(width * height);
  layOver(canvas, layers.back, gain, dressed);
  wrapLight(head, canvas, width, height);
  const headAlpha = layHead(canvas, width, height, head);
  const near = gaussianBlur(headAlpha, width, height, 14);
  if (layers.liner) layOver(canvas, layers.liner, gain, dressed, shadowOf(near, width, 24, 0.5));
  const fall = gaussianBlur(headAlpha, width, height, 0.12 * worn.faceHeight);
  layOver(
    canvas,
    layers.front,
    gain,
    dressed,
    shadowOf(fall, width, Math.round(0.16 * worn.faceHeight), 0.55),
  );
  for (let i = 0; i < dressed.length; i++) dressed[i] = Math.max(dressed[i]!, headAlpha[i]!);

  beginStage('finish');
  const front = await readForeground(scene, options.ratio);
  if (front) layOver(canvas, front, [1, 1, 1]);
  signal?.throwIfAborted();
  const picture = finishScenery(scenery, scene, dressed, options);
  progress?.(1);
  return { picture, faces: head.faces, people: dressed };
}

/**
 * Whether an arm is raised to the head; a costume would cut it off. Seen as more than hair beside the face: at the
 * height of brow to mouth, further out than hair stands, much is still this person.
 */
function handsAtHead({ matte }: PeoplePhoto, face: Face): boolean {
  const unit = face.height / matte.factor;
  const middle = face.center.x / matte.factor;
  const top = Math.max(0, Math.round((pointOf(face, 10).y - 0.3 * face.height) / matte.factor));
  const mouth = Math.min(matte.height, Math.round(pointOf(face, 13).y / matte.factor));
  const covered = (from: number, to: number) => {
    let inside = 0;
    for (let y = top; y < mouth; y++) {
      for (let x = Math.max(0, Math.round(from)); x < Math.min(matte.width, to); x++) {
        if (matte.alpha[y * matte.width + x]! > 0.5) inside++;
      }
    }
    return inside / ((mouth - top) * (to - from));
  };
  return (
    covered(middle - 1.7 * unit, middle - 1.15 * unit) > mostBeside ||
    covered(middle + 1.15 * unit, middle + 1.7 * unit) > mostBeside
  );
}

/** Whether hair or hands at the height of the face go on beyond the photo: they would end in a straight line. */
function cutBesideFace({ silhouette }: PeoplePhoto, face: Face): boolean {
  const mouth = pointOf(face, 13).y;
  return [silhouette.cut.left, silhouette.cut.right].some(
    ({ share, first }) => share > 0.015 && first < mouth - 0.1 * face.height,
  );
}

function wornAt(costume: Costume, { scale, x, y }: Fit): Worn {
  const { head, opening } = costume;
  const halfWidth = ((opening.right - opening.left) / 2) * scale;
  return {
    chinX: head.chin[0] * scale + x,
    chinY: head.chin[1] * scale + y,
    faceHeight: head.faceHeight * scale,
    centerX: ((opening.left + opening.right) / 2) * scale + x,
    halfWidth,
    rim: opening.rim * scale + y,
    sag: 0.2 * halfWidth,
  };
}

interface Layers {
  fit: Fit;
  back: Overlay;
  liner: Overlay | null;
  front: Overlay;
}

async function readLayers(costume: Costume, canvas: Size): Promise<Layers> {
  const raw = await readLayer(join(costume.folder, costume.layers.front));
  const fit = fitCostume(costume, raw, canvas);
  const lay = async (file: string) => layerOnCanvas(await readLayer(join(costume.folder, file)), fit, canvas);
  return {
    fit,
    back: await lay(costume.layers.back),
    liner: costume.layers.liner ? await lay(costume.layers.liner) : null,
    front: layerOnCanvas(raw, fit, canvas),
  };
}

interface Layer extends Size {
  /** Display values times alpha, so that resampling does not drag the colour of nothing in. */
  premultiplied: Planes;
  alpha: Float32Array;
}

async function readLayer(file: string): Promise<Layer> {
  const { data, info } = await sharp(file)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const alpha = new Float32Array(width * height);
  const premultiplied = pictureFromBytes(data, width, height, 4).planes;
  for (let i = 0; i < alpha.length; i++) {
    const a = data[i * 4 + 3]! / 255;
    alpha[i] = a;
    for (const plane of premultiplied) plane[i] = plane[i]! * a;
  }
  return { width, height, premultiplied, alpha };
}

/**
 * How large the costume is on this canvas: a face a sixth of the height (more on wider canvases), the lower border
 * reached, and no place where the costume's own canvas cut a sleeve off inside the picture.
 */
function fitCostume(costume: Costume, front: Layer, canvas: Size): Fit {
  const { head } = costume;
  const wide = canvas.width > canvas.height ? 1.5 : canvas.width === canvas.height ? 1.25 : 1;
  const wanted = (0.17 * wide * canvas.height) / head.faceHeight;
  const widest = Math.max(wanted, canvas.width / costume.canvas.width);
  const cutRow = firstRowAtSide(front);
  for (let scale = wanted; ; scale = Math.min(widest, scale * 1.03)) {
    // Hair takes about 0.45 of a face above the forehead.
    const hair = head.chin[1] - 1.45 * head.faceHeight;
    const y = Math.max(0.1 * canvas.height - hair * scale, canvas.height - costume.canvas.height * scale);
    const lastShown = (canvas.height - y) / scale;
    if (scale >= widest || lastShown <= cutRow || costume.canvas.width * scale >= canvas.width) {
      return { scale, x: canvas.width / 2 - head.chin[0] * scale, y };
    }
  }
}

function firstRowAtSide({ width, height, alpha }: Layer): number {
  for (let y = 0; y < height; y++) {
    if (alpha[y * width + 1]! > 0.3 || alpha[y * width + width - 2]! > 0.3) return y;
  }
  return height;
}

function layerOnCanvas(layer: Layer, fit: Fit, canvas: Size): Overlay {
  const through = {
    a: 1 / fit.scale,
    b: 0,
    x0: (0.5 - fit.x) / fit.scale - 0.5,
    y0: (0.5 - fit.y) / fit.scale - 0.5,
  };
  const source = [...layer.premultiplied, layer.alpha];
  const sampled = sampleThrough(source, layer.width, layer.height, through, canvas.width, canvas.height, 0);
  const alpha = sampled.pop()!;
  const colour = sampled.map((display) => {
    for (let i = 0; i < display.length; i++) display[i] = alpha[i]! > 0 ? display[i]! / alpha[i]! : 0;
    return toLinear(display);
  }) as Planes;
  return { colour, alpha };
}

/** The costume was rendered in its own light: brings it towards the scene's brightness and colour. */
function costumeGain(costume: Costume, light: SceneLight, plate: PlateLight): Rgb {
  const level = clamp((light.key / costume.light.key) ** 0.6, 0.55, 1.3);
  const own = unitLuminance(
    costume.light.color.map((value, c) => 0.6 * value + 0.4 * costume.light.fill[c]!) as Rgb,
  );
  return plate.illuminant.map((value, c) => level * clamp(value / own[c]!, 0.5, 2) ** 0.4) as Rgb;
}

function layHead(canvas: Planes, width: number, height: number, head: Cutout): Float32Array {
  const alpha = new Float32Array(width * height);
  for (let y = 0; y < head.height; y++) {
    let to = (head.y + y) * width + head.x;
    for (let i = y * head.width; i < (y + 1) * head.width; i++, to++) {
      const a = head.alpha[i]!;
      if (a <= 0) continue;
      alpha[to] = a;
      canvas.forEach((plane, c) => {
        plane[to] = plane[to]! + (head.colour[c]![i]! - plane[to]!) * a;
      });
    }
  }
  return alpha;
}

/** Light that is left where something above lets a shadow fall, by canvas pixel. */
function shadowOf(
  caster: Float32Array,
  width: number,
  fall: number,
  strength: number,
): (i: number) => number {
  return (i) => {
    const above = i - fall * width;
    return above > 0 ? 1 - strength * caster[above]! : 1;
  };
}

function layOver(
  canvas: Planes,
  layer: Overlay,
  gain: Rgb,
  covered?: Float32Array,
  light: (i: number) => number = () => 1,
): void {
  const [red, green, blue] = canvas;
  for (let i = 0; i < layer.alpha.length; i++) {
    const a = layer.alpha[i]!;
    if (a <= 0) continue;
    const lit = light(i);
    red[i] = red[i]! + (layer.colour[0][i]! * gain[0] * lit - red[i]!) * a;
    green[i] = green[i]! + (layer.colour[1][i]! * gain[1] * lit - green[i]!) * a;
    blue[i] = blue[i]! + (layer.colour[2][i]! * gain[2] * lit - blue[i]!) * a;
    if (covered && a > covered[i]!) covered[i] = a;
  }
}
