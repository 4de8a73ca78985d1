import { join } from 'node:path';
import sharp from 'sharp';
import { cannotMake } from '../engine.ts';
import { boxBlur, gaussianBlur } from './blur.ts';
import { clamp, type Planes, smoothstep, toLinear } from './colour.ts';
import type { Composed, ComposeOptions } from './compose.ts';
import type { Costume } from './costumes.ts';
import { type Area, type Cutout, finishCutout } from './cutout.ts';
import { moveFace, pointOf, turnFace } from './face-outline.ts';
import type { Size } from './framing.ts';
import { finish, gradeOf, measureGrain } from './grain-grade.ts';
import { harmonise, photoIlluminant } from './harmonise.ts';
import { wrapLight } from './light-wrap.ts';
import { gradeForMood, lightPlate, noMood } from './mood.ts';
import type { PeoplePhoto } from './people.ts';
import { pictureFromBytes } from './photo.ts';
import type { Face } from './picture.ts';
import { measurePlate, type PlateLight, type Rgb, unitLuminance } from './plate-light.ts';
import { findRegions } from './regions.ts';
import { relight } from './relight.ts';
import { type Similarity, sampleThrough } from './resample.ts';
import { type Overlay, readForeground, readPlate, type Scene, type SceneLight } from './scenes.ts';
import { paintWeather } from './weather.ts';

/** Below this face height, in photo pixels, the enlarged head looks soft beside the costume. */
const leastFace = 100;

/** A lean within this is the guest's own; only what is beyond it is turned upright, since a collar does not lean. */
const keptLean = (4 * Math.PI) / 180;

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
  const { ratio, signal, progress, mood = noMood } = options;
  const { plate, light } = lightPlate(await readPlate(scene, ratio), scene.light, mood, scene.tags);
  const { width, height, colour: canvas } = plate;
  const plateGrain = measureGrain(canvas, width, height);
  const plateLight = measurePlate(canvas, width, height);
  const backdrop = { width, height, colour: canvas.map((plane) => plane.slice()) as Planes };
  const layers = await readLayers(costume, plate);
  signal?.throwIfAborted();
  progress?.(0.2);

  const gain = costumeGain(costume, light, plateLight);
  const worn = wornAt(costume, layers.fit);
  const head = cutHead(people, face, worn, plate);
  signal?.throwIfAborted();
  harmonise(head, plateLight, light, photoIlluminant(people.photo));
  relight(head, backdrop, light);
  taperIntoCollar(head, worn);
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

  const front = await readForeground(scene, ratio);
  if (front) layOver(canvas, front, [1, 1, 1]);
  signal?.throwIfAborted();
  if (mood.weather && !scene.tags.includes(mood.weather)) {
    paintWeather(canvas, plate, mood.weather, options.seed);
  }
  const grade = gradeOf(scene.grade, { ...gradeForMood(mood), ...options.grade });
  const picture = finish(canvas, width, height, dressed, grade, plateGrain, options.seed);
  progress?.(1);
  return { picture, faces: head.faces, people: dressed };
}

/** An arm that leaves the photo beside the face is an arm raised to the head; a costume would cut it off. */
function handsAtHead({ silhouette }: PeoplePhoto, face: Face): boolean {
  const mouth = pointOf(face, 13).y;
  const near = (side: 'left' | 'right') => {
    const { share, first } = silhouette.cut[side];
    const edge = side === 'left' ? 0 : silhouette.width;
    return share > 0.015 && first < mouth && Math.abs(edge - face.center.x) < 1.6 * face.height;
  };
  return near('left') || near('right');
}

/** The costume's own measures, brought to the canvas. */
interface Worn {
  chinX: number;
  chinY: number;
  faceHeight: number;
  /** Middle and half width of the collar's opening, and the height of its rim. */
  centerX: number;
  halfWidth: number;
  rim: number;
  /** How far the front of the rim hangs below its sides. */
  sag: number;
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

/** The head and what hangs on it, turned upright where it leans, at its place on the canvas. */
function cutHead(people: PeoplePhoto, face: Face, worn: Worn, canvas: Size): Cutout {
  const { photo, matte } = people;
  const turn = -(face.roll - clamp(face.roll, -keptLean, keptLean));
  const scale = worn.faceHeight / face.height;
  const chin = pointOf(face, 152);
  const jaw = { x: (pointOf(face, 172).x + pointOf(face, 397).x) / 2 };
  // The neck stands under the middle of the jaw rather than under the tip of the chin.
  const anchor = { x: (chin.x + jaw.x) / 2, y: chin.y };
  const area = {
    x: Math.max(0, Math.round(worn.chinX - 1.7 * worn.faceHeight)),
    y: Math.max(0, Math.round(worn.chinY - 2 * worn.faceHeight)),
    width: 0,
    height: 0,
  };
  area.width = Math.min(canvas.width, Math.round(worn.chinX + 1.7 * worn.faceHeight)) - area.x;
  area.height = Math.min(canvas.height, Math.round(worn.rim + worn.sag + 0.3 * worn.faceHeight)) - area.y;
  const a = Math.cos(turn) / scale;
  const b = -Math.sin(turn) / scale;
  const du = area.x - worn.chinX;
  const dv = area.y - worn.chinY;
  const through: Similarity = { a, b, x0: anchor.x + a * du - b * dv, y0: anchor.y + b * du + a * dv };
  const { width, height } = area;
  const { factor } = matte;
  const onMatte = {
    a: a / factor,
    b: b / factor,
    x0: (through.x0 + 0.5) / factor - 0.5,
    y0: (through.y0 + 0.5) / factor - 0.5,
  };
  const display = sampleThrough(photo.planes, photo.width, photo.height, through, width, height);
  const [alpha] = sampleThrough([matte.alpha], matte.width, matte.height, onMatte, width, height, 0) as [
    Float32Array,
  ];
  const place = (any: Face) =>
    moveFace(turnFace(moveFace(any, 1, -anchor.x, -anchor.y), turn), scale, worn.chinX, worn.chinY);
  const placed = place(face);
  const others = people.faces.filter((other) => other !== face).map(place);
  if (headIsCut(alpha, width, through, photo.height)) {
    throw cannotMake('The top of the head is outside the photo. Step back from the camera and try again.');
  }
  keepOneHead(alpha, area, placed, others);
  return finishCutout(area, display, alpha, [placed]);
}

/** Takes away the heads of neighbours, by whose face is nearer, and whatever does not hang on this one. */
function keepOneHead(alpha: Float32Array, area: Area, face: Face, others: readonly Face[]): void {
  const distance = (to: Face, x: number, y: number) =>
    Math.hypot(x + area.x - to.center.x, y + area.y - to.center.y) / to.height;
  for (const other of others) {
    for (let y = 0; y < area.height; y++) {
      for (let x = 0; x < area.width; x++) {
        const i = y * area.width + x;
        if (alpha[i] === 0) continue;
        alpha[i] = alpha[i]! * smoothstep(-0.03, 0.09, distance(other, x, y) - distance(face, x, y));
      }
    }
  }
  // Judged down to the chin: below it, shoulders and hair join everybody. There the collar decides what is seen.
  const chin = clamp(Math.round(pointOf(face, 152).y) - area.y, 1, area.height);
  const upper = alpha.subarray(0, chin * area.width);
  const { labels } = findRegions(upper, area.width, chin, 0.3, 'above');
  const x = clamp(Math.round(face.center.x) - area.x, 0, area.width - 1);
  const y = clamp(Math.round(face.center.y) - area.y, 0, chin - 1);
  const own = labels[y * area.width + x]!;
  const kept = new Float32Array(upper.length);
  for (let i = 0; i < kept.length; i++) kept[i] = labels[i] === own ? 1 : 0;
  // Fine hair around the kept region stays.
  const near = boxBlur(kept, area.width, chin, 0.04 * face.height);
  for (let i = 0; i < upper.length; i++) upper[i] = upper[i]! * clamp(near[i]! * 10, 0, 1);
  clearBesideHead(alpha, area, chin);
}

/** Below the chin nothing is wider than the head above it: what is, belongs to shoulders and neighbours. */
function clearBesideHead(alpha: Float32Array, area: Area, chin: number): void {
  const from = Math.max(0, chin - Math.round(0.12 * area.height));
  let left = area.width;
  let right = 0;
  for (let y = from; y < chin; y++) {
    for (let x = 0; x < area.width; x++) {
      if (alpha[y * area.width + x]! < 0.3) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
    }
  }
  for (let y = chin; y < area.height; y++) {
    alpha.fill(0, y * area.width, y * area.width + left);
    alpha.fill(0, y * area.width + right + 1, (y + 1) * area.width);
  }
}

/** True when hair goes on above the photo's upper border. */
function headIsCut(alpha: Float32Array, width: number, through: Similarity, photoHeight: number): boolean {
  let cut = 0;
  for (let u = 0; u < width; u++) {
    // The row of the area that the photo's third row falls into, for this column.
    const v = Math.round((0.002 * photoHeight + 2 - through.y0 - through.b * u) / through.a);
    const at = v * width + u;
    if (v > 0 && at < alpha.length && alpha[at]! > 0.6) cut++;
  }
  return cut > 0.18 * width;
}

/** Below the mouth the silhouette narrows into the collar, as hair does that is tucked in: long hair included. */
function taperIntoCollar(head: Cutout, worn: Worn): void {
  const { width, height, alpha } = head;
  const [face] = head.faces as [Face];
  const mouth = pointOf(face, 13).y - head.y;
  const eyes = pointOf(face, 159).y - head.y;
  const center = worn.centerX - head.x;
  const sides = [reachOf(head, eyes, mouth, center, -1), reachOf(head, eyes, mouth, center, 1)] as const;
  const from = mouth - 0.05 * worn.faceHeight;
  const to = worn.rim - head.y + 0.1 * worn.sag;
  const kept = new Float32Array(alpha.length).fill(1);
  for (let y = Math.max(0, Math.floor(from)); y < height; y++) {
    const down = smoothstep(from, to, y);
    for (let x = 0; x < width; x++) {
      const off = Math.abs(x - center);
      const wide = sides[x < center ? 0 : 1] + 0.02 * worn.faceHeight;
      const limit = wide + (Math.min(wide, 0.93 * worn.halfWidth) - wide) * down;
      // Strands, not a knife: two sines of the canvas' own grain.
      const jitter =
        down *
        (0.026 * Math.sin(0.11 * x + 0.031 * y) + 0.016 * Math.sin(0.27 * x - 0.05 * y)) *
        worn.faceHeight;
      const inside = smoothstep(
        limit + 0.033 * worn.faceHeight,
        limit - 0.053 * worn.faceHeight,
        off + jitter,
      );
      const across = clamp(off / worn.halfWidth, 0, 1);
      const lip = worn.rim - head.y + worn.sag * Math.sqrt(1 - across * across);
      kept[y * width + x] = inside * smoothstep(lip + 6, lip - 2, y);
    }
  }
  const soft = gaussianBlur(kept, width, height, 3);
  for (let i = 0; i < alpha.length; i++) alpha[i] = alpha[i]! * soft[i]!;
}

/** How far the head reaches to a side between the eyes and the mouth. */
function reachOf(head: Cutout, from: number, to: number, center: number, side: -1 | 1): number {
  let reach = 0;
  for (let y = Math.max(0, Math.round(from)); y < Math.min(head.height, to); y += 2) {
    for (let x = side < 0 ? 0 : head.width - 1; side * (x - center) > reach; x -= side) {
      if (head.alpha[y * head.width + x]! > 0.5) {
        reach = side * (x - center);
        break;
      }
    }
  }
  return reach;
}

/** The chin shades the neck, the collar shades what goes down into it. */
function shadeNeck(head: Cutout, worn: Worn): void {
  const [face] = head.faces as [Face];
  const left = pointOf(face, 172);
  const right = pointOf(face, 397);
  const chin = pointOf(face, 152);
  const jawY = (left.y + right.y) / 2;
  const neckHalf = clamp(0.46 * (right.x - left.x), 0.3 * face.width, 0.5 * face.width);
  for (let y = 0; y < head.height; y++) {
    const canvasY = y + head.y;
    if (canvasY < jawY - 0.1 * worn.faceHeight) continue;
    const intoCollar = clamp((canvasY - worn.rim + 0.6 * worn.sag) / (1.6 * worn.sag), 0, 1);
    for (let x = 0; x < head.width; x++) {
      const i = y * head.width + x;
      if (head.alpha[i]! < 0.003) continue;
      const canvasX = x + head.x;
      const along = clamp((canvasX - left.x) / (right.x - left.x), 0, 1);
      const jawAt = jawY + (chin.y - jawY) * (1 - (2 * along - 1) ** 2);
      const below = (canvasY - jawAt) / worn.faceHeight;
      const off = Math.abs(canvasX - worn.centerX);
      const onNeck = smoothstep(1.25 * neckHalf, 0.9 * neckHalf, off);
      const underChin = below > 0 ? 0.34 * onNeck * smoothstep(0, 0.05, below) * Math.exp(-below / 0.2) : 0;
      const side = 0.22 * clamp((off / neckHalf - 0.55) / 0.5, 0, 1) * clamp(6 * below, 0, 1);
      const light = (1 - underChin) * (1 - 0.5 * intoCollar * intoCollar) * (1 - side);
      const [red, green, blue] = head.colour;
      red[i] = red[i]! * light;
      green[i] = green[i]! * light * (0.97 + 0.03 * light);
      blue[i] = blue[i]! * light * (0.95 + 0.05 * light);
    }
  }
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
