import { canvasSizes } from '@guise/contract/families/canvas.ts';
import type { Note } from '@guise/contract/notes.ts';
import type { Composite, DrawnPeople } from '../compose/compose.ts';
import { drawForeground } from '../compose/foreground.ts';
import { type Harmony, harmonise, photoIlluminant } from '../compose/harmonise.ts';
import { wrapLight } from '../compose/light-wrap.ts';
import { placeCutout } from '../compose/place-cutout.ts';
import { standInTwoRows } from '../compose/place-people.ts';
import { type LinearRgb, unitLuminance } from '../compose/plate-light.ts';
import {
  type ComposeOptions,
  canvasOf,
  finishPicture,
  type PreparedScene,
  prepareScene,
} from '../compose/prepared-scene.ts';
import { relight } from '../compose/relight.ts';
import { type ShadowCaster, shadePeopleBehind } from '../compose/shadow.ts';
import type { Face } from '../faces/face.ts';
import type { Cutout } from '../matting/cutout.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { type Canvas, drawLayer, type Layer, layerAlpha } from '../pixels/layer.ts';
import { allocateZeroPlane, type Plane, type Size } from '../pixels/plane.ts';
import type { Window } from '../pixels/resample.ts';
import { clamp } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { beginStage } from '../runtime/stages.ts';
import { readForeground, type Scene } from '../scenes/scenes.ts';
import { arrangeCostumes } from './arrange-costumes.ts';
import { shadeNeck, taperIntoCollar, tuckUnderHood } from './collar.ts';
import { cutOutHead, type HeadCutout, type HeadPlacement, placeHead } from './costume-head.ts';
import {
  type CostumeLayers,
  type DecodedCostume,
  decodeCostumes,
  placeLayers,
  placeOneCostume,
} from './costume-layers.ts';
import type { Costume } from './costumes.ts';
import { fitCollar } from './fit-collar.ts';
import { assertHeadFitsCostume } from './head-checks.ts';
import { hideBehind, type ShownHead, showHead } from './shown-head.ts';
import { varyCostumes } from './vary-costumes.ts';

/** Somebody in a picture of people in costumes. */
export interface Wearer {
  /** The guest's photo, with a matte of nobody else. */
  people: PeoplePhoto;
  face: Face;
  costume: Costume;
}

export interface CostumeOptions extends ComposeOptions {
  /** The wearers' costumes, where they are being decoded already. */
  decodedCostumes?: Promise<DecodedCostume[]>;
}

/** Everybody's costume in a scene. */
export interface CostumeArrangement {
  wearers: readonly Wearer[];
  costumes: PlacedCostumes;
  prepared: PreparedScene;
  foreground: Layer | null;
}

/** How somebody was drawn into a costume, for further shots of the same people. */
export interface WornCostume {
  placement: HeadPlacement;
  /** The costume with its collar fitted to the neck. */
  layers: CostumeLayers;
  harmony: Harmony;
}

/** People in costumes on the canvas, before anything is drawn in front of them. */
export interface DrawnCostumes extends Pick<DrawnPeople, 'canvas' | 'people' | 'faces'> {
  worn: WornCostume[];
  /** Each head as the picture shows it, from back to front; none in further shots. */
  heads: ShownHead[];
}

/** People in costumes, with each head as the picture shows it. */
export interface CostumeComposite extends Composite, Pick<DrawnCostumes, 'heads'> {}

/** Puts each guest's head into a costume, all of them in one scene. Heads keep their own pose and shape. */
export async function composeInCostumes(
  guests: readonly Wearer[],
  scene: Scene,
  options: CostumeOptions,
): Promise<CostumeComposite> {
  const { signal, progress } = options;
  const arrangement = await arrangeInCostumes(guests, scene, options);
  const { costumes, prepared, foreground } = arrangement;
  return withArena(() => {
    const { canvas, people, faces, heads } = drawInCostumes(arrangement, options);
    beginStage('finish');
    if (foreground) drawForeground(canvas, foreground, faces);
    signal?.throwIfAborted();
    const picture = finishPicture(canvas, people, prepared, options);
    progress?.(1);
    return { picture, faces, people, heads, applied: notesOnCostumes(costumes) };
  });
}

export const notesOnCostumes = ({ rows }: PlacedCostumes): Note[] => (rows === 2 ? [standInTwoRows] : []);

/** Reads the scene and finds everybody's place and costume in it. */
export async function arrangeInCostumes(
  guests: readonly Wearer[],
  scene: Scene,
  options: CostumeOptions,
): Promise<CostumeArrangement> {
  const { signal, progress } = options;
  beginStage('plate');
  const decoded = varyCostumes(
    await (options.decodedCostumes ?? decodeCostumes(guests.map(({ costume }) => costume))),
  );
  const wearers = guests.map((guest, i) => ({ ...guest, costume: decoded[i]!.costume }));
  const [prepared, costumes, foreground] = await Promise.all([
    options.preparedScene ?? prepareScene(scene, options),
    placeCostumes(wearers, decoded, canvasSizes[options.ratio]),
    readForeground(scene, options.ratio),
  ]);
  signal?.throwIfAborted();
  for (const [i, { people, face }] of wearers.entries()) {
    assertHeadFitsCostume(people, face, costumes.layers[i]!.measures);
  }
  progress?.(0.2);
  return { wearers, costumes, prepared, foreground };
}

/**
 * Draws everybody in their costumes over the scene; of a further shot of the same people, as the first was. To be called
 * inside of `withArena`.
 */
export function drawInCostumes(
  { wearers, costumes, prepared }: CostumeArrangement,
  { signal, progress }: Pick<ComposeOptions, 'signal' | 'progress'>,
  known: readonly WornCostume[] | null = null,
): DrawnCostumes {
  const canvas = canvasOf(prepared);
  const covered = allocateZeroPlane(canvas);
  const faces: Face[] = [];
  const worn: WornCostume[] = [];
  const heads: ShownHead[] = [];
  for (const [drawn, i] of costumes.order.entries()) {
    signal?.throwIfAborted();
    const drawing = { canvas, covered, hasPeople: drawn > 0, known: known?.[i] ?? null };
    const { face, head, silhouette, ...how } = drawWearer(
      wearers[i]!,
      costumes.layers[i]!,
      prepared,
      drawing,
    );
    faces[i] = face;
    worn[i] = how;
    if (silhouette) for (const behind of heads) hideBehind(behind, silhouette);
    if (head) heads.push(head);
    progress?.(0.2 + (0.6 * (drawn + 1)) / wearers.length);
  }
  return { canvas, people: covered, faces, worn, heads };
}

/** Everybody's costume at its place, and the order in which they are drawn. */
interface PlacedCostumes {
  layers: CostumeLayers[];
  order: number[];
  rows: 1 | 2;
}

async function placeCostumes(
  wearers: readonly Wearer[],
  decoded: readonly DecodedCostume[],
  canvas: Size,
): Promise<PlacedCostumes> {
  const [first, ...others] = decoded;
  if (first && others.length === 0) {
    return {
      layers: [await placeLayers(first, placeOneCostume(first, canvas), canvas)],
      order: [0],
      rows: 1,
    };
  }
  const members = wearers.map(({ costume, face }) => ({ costume, isChild: face.ageGroup === 'child' }));
  const { placements, order, rows } = arrangeCostumes(members, canvas);
  const layers = await Promise.all(decoded.map((one, i) => placeLayers(one, placements[i]!, canvas)));
  return { layers, order, rows };
}

interface Drawing {
  canvas: Canvas;
  /** How much of each canvas pixel is people so far, and whether any is. */
  covered: Plane;
  hasPeople: boolean;
  /** How the same guest was drawn in another shot. */
  known: WornCostume | null;
}

/** Draws one guest in a costume over those who stand behind. */
function drawWearer(
  wearer: Wearer,
  placed: CostumeLayers,
  prepared: PreparedScene,
  { canvas, covered, hasPeople, known }: Drawing,
): WornCostume & { face: Face; head: ShownHead | null; silhouette: ShadowCaster | null } {
  const { people, face, costume } = wearer;
  return withArena(() => {
    beginStage('cut out');
    const placement = known?.placement ?? placeHead(face, placed.measures);
    const head = cutOutHead(people, face, placed.measures, canvas, placement);
    beginStage('light');
    const harmony = lightHead(head, wearer, prepared, known?.harmony);
    const layers = known?.layers ?? (costume.hooded ? placed : fitCollar(placed, head.neck));
    fitHead(head, costume, layers);
    const silhouette = hasPeople ? silhouetteInCostume(head, layers) : null;
    if (silhouette) shadePeopleBehind(canvas, covered, silhouette);
    drawCostume({ canvas, covered }, head, layers, costumeGain(costume, prepared));
    const shown = known ? null : showHead(head, layers);
    return { face: head.faces[0]!, head: shown, silhouette, placement, layers, harmony };
  });
}

/** Head and costume together, as far as they are on the canvas. */
function silhouetteInCostume(head: Cutout, { back, front }: CostumeLayers): ShadowCaster {
  const parts = [head, back, front];
  const x = Math.min(...parts.map((part) => part.x));
  const y = Math.min(...parts.map((part) => part.y));
  const width = Math.max(...parts.map((part) => part.x + part.width)) - x;
  const height = Math.max(...parts.map((part) => part.y + part.height)) - y;
  const area = { x, y, width, height };
  const alpha = layerAlpha(front, area).data;
  const behind = layerAlpha(back, area).data;
  for (let i = 0; i < alpha.length; i++) alpha[i] = Math.max(alpha[i]!, behind[i]!);
  for (let row = 0; row < head.height; row++) {
    let to = (row + head.y - y) * width + head.x - x;
    for (let i = row * head.width; i < (row + 1) * head.width; i++, to++) {
      alpha[to] = Math.max(alpha[to]!, head.alpha[i]!);
    }
  }
  return { ...area, alpha, faces: head.faces };
}

/** Lights the head by the scene, from the side that the costume is lit from: its layers cannot be lit anew. */
function lightHead(
  head: Cutout,
  { people: { photo }, costume }: Wearer,
  { plate, plateLight, light }: PreparedScene,
  known: Harmony | undefined,
): Harmony {
  const harmony = harmonise(head, plateLight, light, known ?? photoIlluminant(photo));
  relight(head, plate, { ...light, direction: costume.light.direction });
  return harmony;
}

/** Shapes and shades the head so that it goes into the collar, and under the hood where there is one. */
function fitHead(head: HeadCutout, { hooded }: Costume, { measures, back, front }: CostumeLayers): void {
  taperIntoCollar(head, measures);
  if (hooded) {
    tuckUnderHood(head, measures, { back: layerAlpha(back, head), front: layerAlpha(front, head) });
  }
  shadeNeck(head, measures);
}

/** Draws the layers of the costume behind and in front of the head, and raises `covered` to them, in place. */
function drawCostume(
  { canvas, covered: coverage }: Pick<Drawing, 'canvas' | 'covered'>,
  head: Cutout,
  { measures, back, liner, front }: CostumeLayers,
  gain: LinearRgb,
): void {
  drawLayer(canvas, back, { gain, coverage });
  wrapLight(head, canvas);
  placeCutout(canvas, coverage, head);
  const { faceHeight } = measures;
  const castBy = (sigma: number) => blurHead(head, sigma, Math.round(0.45 * faceHeight));
  if (liner) {
    const shadow = {
      caster: castBy(0.046 * faceHeight),
      offset: Math.round(0.08 * faceHeight),
      strength: 0.5,
    };
    drawLayer(canvas, liner, { gain, coverage, shadow });
  }
  const shadow = { caster: castBy(0.12 * faceHeight), offset: Math.round(0.16 * faceHeight), strength: 0.55 };
  drawLayer(canvas, front, { gain, coverage, shadow });
}

/** The head's blurred alpha, with a margin that the blur can spread into. */
function blurHead(head: Cutout, sigma: number, margin: number): Plane & Window {
  const width = head.width + 2 * margin;
  const wide = allocateZeroPlane({ width, height: head.height + 2 * margin });
  for (let y = 0; y < head.height; y++) {
    const row = head.alpha.subarray(y * head.width, (y + 1) * head.width);
    wide.data.set(row, (y + margin) * width + margin);
  }
  return { ...gaussianBlur(wide, sigma), x: head.x - margin, y: head.y - margin };
}

/** Gain that brings a costume from the light it was rendered in towards the scene's brightness and colour. */
function costumeGain(costume: Costume, { light, plateLight }: PreparedScene): LinearRgb {
  const level = clamp((light.key / costume.light.key) ** 0.6, 0.55, 1.3);
  const own = unitLuminance(
    costume.light.color.map((value, c) => 0.6 * value + 0.4 * costume.light.fill[c]!) as LinearRgb,
  );
  return plateLight.illuminant.map((value, c) => level * clamp(value / own[c]!, 0.5, 2) ** 0.4) as LinearRgb;
}
