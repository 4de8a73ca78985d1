import { canvasSizes } from '@guise/contract/families/canvas.ts';
import type { Composite } from '../compose/compose.ts';
import { harmonise, photoIlluminant } from '../compose/harmonise.ts';
import { wrapLight } from '../compose/light-wrap.ts';
import { placeCutout } from '../compose/place-cutout.ts';
import { type Rgb, unitLuminance } from '../compose/plate-light.ts';
import {
  type ComposeOptions,
  canvasOf,
  finishPicture,
  type PreparedScene,
  prepareScene,
} from '../compose/prepared-scene.ts';
import { relight } from '../compose/relight.ts';
import type { Face } from '../faces/face.ts';
import type { Cutout } from '../matting/cutout.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { type Canvas, drawLayer, layerAlpha } from '../pixels/layer.ts';
import { allocateZeroPlane, type Plane } from '../pixels/plane.ts';
import { clamp } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { beginStage } from '../runtime/stages.ts';
import { readForeground, type Scene } from '../scenes/scenes.ts';
import { shadeNeck, taperIntoCollar, tuckUnderHood } from './collar.ts';
import { cutOutHead } from './costume-head.ts';
import { type CostumeLayers, readCostumeLayers } from './costume-layers.ts';
import type { Costume } from './costumes.ts';
import { assertHeadFitsCostume } from './head-checks.ts';

/** Puts a guest's head into a costume, in a scene. The head keeps its own pose and shape. */
export async function composeInCostume(
  people: PeoplePhoto,
  face: Face,
  costume: Costume,
  scene: Scene,
  options: ComposeOptions,
): Promise<Composite> {
  const { signal, progress } = options;
  assertHeadFitsCostume(people, face);
  beginStage('plate');
  const [prepared, layers, foreground] = await Promise.all([
    options.preparedScene ?? prepareScene(scene, options),
    readCostumeLayers(costume, canvasSizes[options.ratio]),
    readForeground(scene, options.ratio),
  ]);
  signal?.throwIfAborted();
  progress?.(0.2);
  return withArena(() => {
    const canvas = canvasOf(prepared);
    beginStage('cut out');
    const head = cutOutHead(people, face, layers.measures, canvas);
    signal?.throwIfAborted();
    beginStage('light');
    lightHead(head, people, prepared);
    fitHead(head, costume, layers);
    progress?.(0.6);
    const gain = costumeGain(costume, prepared);
    const covered = drawCostume(canvas, head, layers, gain);
    beginStage('finish');
    if (foreground) drawLayer(canvas, foreground);
    signal?.throwIfAborted();
    const picture = finishPicture(canvas, covered, prepared, options);
    progress?.(1);
    return { picture, faces: head.faces, people: covered, applied: [] };
  });
}

function lightHead(head: Cutout, { photo }: PeoplePhoto, { plate, plateLight, light }: PreparedScene): void {
  harmonise(head, plateLight, light, photoIlluminant(photo));
  relight(head, plate, light);
}

/** Shapes and shades the head so that it goes into the collar, and under the hood where there is one. */
function fitHead(head: Cutout, { hooded }: Costume, { measures, back, front }: CostumeLayers): void {
  taperIntoCollar(head, measures);
  if (hooded) {
    tuckUnderHood(head, measures, { back: layerAlpha(back, head), front: layerAlpha(front, head) });
  }
  shadeNeck(head, measures);
}

/** Draws the layers of the costume behind and in front of the head. Returns how much of each pixel is the guest. */
function drawCostume(
  canvas: Canvas,
  head: Cutout,
  { measures, back, liner, front }: CostumeLayers,
  gain: Rgb,
): Plane {
  const coverage = allocateZeroPlane(canvas);
  drawLayer(canvas, back, { gain, coverage });
  wrapLight(head, canvas);
  const headAlpha = allocateZeroPlane(canvas);
  placeCutout(canvas, headAlpha, head);
  if (liner) {
    const shadow = { caster: gaussianBlur(headAlpha, 14), offset: 24, strength: 0.5 };
    drawLayer(canvas, liner, { gain, coverage, shadow });
  }
  const { faceHeight } = measures;
  const shadow = {
    caster: gaussianBlur(headAlpha, 0.12 * faceHeight),
    offset: Math.round(0.16 * faceHeight),
    strength: 0.55,
  };
  drawLayer(canvas, front, { gain, coverage, shadow });
  const { data } = coverage;
  for (let i = 0; i < data.length; i++) data[i] = Math.max(data[i]!, headAlpha.data[i]!);
  return coverage;
}

/** Gain that brings a costume from the light it was rendered in towards the scene's brightness and colour. */
function costumeGain(costume: Costume, { light, plateLight }: PreparedScene): Rgb {
  const level = clamp((light.key / costume.light.key) ** 0.6, 0.55, 1.3);
  const own = unitLuminance(
    costume.light.color.map((value, c) => 0.6 * value + 0.4 * costume.light.fill[c]!) as Rgb,
  );
  return plateLight.illuminant.map((value, c) => level * clamp(value / own[c]!, 0.5, 2) ** 0.4) as Rgb;
}
