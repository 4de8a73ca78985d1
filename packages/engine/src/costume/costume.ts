import { canvasSizes } from '@guise/contract/canvas.ts';
import type { Composed } from '../compose/compose.ts';
import { harmonise, photoIlluminant } from '../compose/harmonise.ts';
import { wrapLight } from '../compose/light-wrap.ts';
import { layCutout } from '../compose/place-cutout.ts';
import { type PlateLight, type Rgb, unitLuminance } from '../compose/plate-light.ts';
import { relight } from '../compose/relight.ts';
import {
  type ComposeOptions,
  canvasOf,
  finishScenery,
  openScenery,
  type Scenery,
} from '../compose/scenery.ts';
import type { Face } from '../faces/face.ts';
import { pointOf } from '../faces/face-outline.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { alphaIn, type Layer, layLayer } from '../pixels/layer.ts';
import { clamp } from '../pixels/scalar.ts';
import { allocateZeros, withArena } from '../runtime/arena.ts';
import { cannotMake } from '../runtime/render-error.ts';
import { beginStage } from '../runtime/stages.ts';
import { readForeground, type Scene, type SceneLight } from '../scenes/scenes.ts';
import { cutHead, shadeNeck, taperIntoCollar, tuckUnderHood, type Worn } from './costume-head.ts';
import { type Fit, type Layers, readLayers } from './costume-layers.ts';
import type { Costume } from './costumes.ts';

/** Below this face height, in photo pixels, the enlarged head looks soft beside the costume. */
const leastFace = 100;

/** Share of the place beside the head that wide hair may take. */
const mostBeside = 0.25;

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
  beginStage('plate');
  const [scenery, layers, front] = await Promise.all([
    options.scenery ?? openScenery(scene, options),
    readLayers(costume, canvasSizes[options.ratio]),
    readForeground(scene, options.ratio),
  ]);
  options.signal?.throwIfAborted();
  options.progress?.(0.2);
  return withArena(() => dress(people, face, costume, { ...layers, scene: front }, scene, scenery, options));
}

function dress(
  people: PeoplePhoto,
  face: Face,
  costume: Costume,
  layers: Layers & { scene: Layer | null },
  scene: Scene,
  scenery: Scenery,
  options: ComposeOptions,
): Composed {
  const { signal, progress } = options;
  const { backdrop, light, plateLight } = scenery;
  const { width, height } = backdrop;
  const canvas = canvasOf(scenery);
  const gain = costumeGain(costume, light, plateLight);
  const worn = wornAt(costume, layers.fit);
  beginStage('cut out');
  const head = cutHead(people, face, worn, backdrop);
  signal?.throwIfAborted();
  beginStage('light');
  harmonise(head, plateLight, light, photoIlluminant(people.photo));
  relight(head, backdrop, light);
  taperIntoCollar(head, worn);
  if (costume.hooded) tuckUnderHood(head, worn, alphaIn(layers.back, head), alphaIn(layers.front, head));
  shadeNeck(head, worn);
  progress?.(0.6);

  const dressed = allocateZeros(width * height);
  layLayer(canvas, width, layers.back, gain, dressed);
  wrapLight(head, canvas, width, height);
  const headAlpha = allocateZeros(width * height);
  layCutout(canvas, headAlpha, width, head);
  if (layers.liner) {
    const near = gaussianBlur({ width, height, data: headAlpha }, 14).data;
    layLayer(canvas, width, layers.liner, gain, dressed, { caster: near, fall: 24, strength: 0.5 });
  }
  const far = gaussianBlur({ width, height, data: headAlpha }, 0.12 * worn.faceHeight).data;
  const fall = Math.round(0.16 * worn.faceHeight);
  layLayer(canvas, width, layers.front, gain, dressed, { caster: far, fall, strength: 0.55 });
  for (let i = 0; i < dressed.length; i++) dressed[i] = Math.max(dressed[i]!, headAlpha[i]!);

  beginStage('finish');
  if (layers.scene) layLayer(canvas, width, layers.scene, [1, 1, 1]);
  signal?.throwIfAborted();
  const picture = finishScenery(canvas, scenery, scene, dressed, options);
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
        if (matte.data[y * matte.width + x]! > 0.5) inside++;
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

/** The costume was rendered in its own light: brings it towards the scene's brightness and colour. */
function costumeGain(costume: Costume, light: SceneLight, plate: PlateLight): Rgb {
  const level = clamp((light.key / costume.light.key) ** 0.6, 0.55, 1.3);
  const own = unitLuminance(
    costume.light.color.map((value, c) => 0.6 * value + 0.4 * costume.light.fill[c]!) as Rgb,
  );
  return plate.illuminant.map((value, c) => level * clamp(value / own[c]!, 0.5, 2) ** 0.4) as Rgb;
}
