import { canvasSizes } from '@guise/contract/families/canvas.ts';
import type { Note } from '@guise/contract/notes.ts';
import { prepareScene } from './compose/prepared-scene.ts';
import { mostInCostumes } from './costume/arrange-costumes.ts';
import { decodeCostumes } from './costume/costume-layers.ts';
import type { Face } from './faces/face.ts';
import { moveFace } from './faces/face-outline.ts';
import { chooseCostumes, cutGuests, isOfOneGuest } from './guests.ts';
import { alignShot, placeThrough } from './living/align-shots.ts';
import { pictureShots, type ShotPicture } from './living/picture-shots.ts';
import { sceneShots } from './living/scene-shots.ts';
import type { Shot, ShotDrawer } from './living/shot.ts';
import { mattePeople } from './matting/matte.ts';
import type { Placement, Size } from './pixels/plane.ts';
import { resample, resamplePicture } from './pixels/resample.ts';
import type { RenderPlan } from './plan.ts';
import { fitToCanvas, paintOver, ratioFor, swapIntoTemplate } from './render.ts';
import type { RenderOptions } from './render-options.ts';
import type { LivingRequest } from './request.ts';
import type { Scene } from './scenes/scenes.ts';

/** Of the canvas: how large the clip is, and how many of its pixels are one of the network's. */
const resolutions = {
  '720p': { scale: 0.6, factor: 2 },
  '1080p': { scale: 0.9, factor: 3 },
} as const;

/** What draws the shots of a burst as the plan says, all of them as the first. */
export async function createShotDrawer(
  first: Shot,
  plan: RenderPlan,
  { resolution = '720p' }: LivingRequest,
  options: RenderOptions,
): Promise<ShotDrawer> {
  const { scale, factor } = resolutions[resolution];
  const clip = {
    factor,
    // H.264 wants even sides.
    sizeFor: ({ width, height }: Size) => ({
      width: 2 * Math.round((width * scale) / 2),
      height: 2 * Math.round((height * scale) / 2),
    }),
  };
  // What reports progress here would tell that of one shot.
  const silent = { ...options, progress: () => {} };
  if (plan.scene) return drawInScene(first, { ...plan, scene: plan.scene }, clip, silent);
  const make = plan.template
    ? swappedPictures(plan.template, silent)
    : placedPictures(first, await fitToCanvas(first, ratioFor([first], options), silent), silent);
  return pictureShots({
    ...clip,
    make,
    paint: (picture, faces) => paintOver(picture, faces, plan, options),
  });
}

interface Clip {
  factor: number;
  sizeFor(canvas: Size): Size;
}

function drawInScene(
  first: Shot,
  plan: RenderPlan & { scene: Scene },
  { factor, sizeFor }: Clip,
  options: RenderOptions,
): ShotDrawer {
  const { rule, params, seed, signal } = options;
  const { mood, scene, costume } = plan;
  const ratio = ratioFor([first], options);
  const guests = isOfOneGuest(rule, params) ? 1 : first.faces.length;
  const fits = guests <= mostInCostumes;
  const costumes = costume && fits ? chooseCostumes([first], costume, options) : [];
  const preparedScene = prepareScene(scene, { ratio, seed, mood });
  const decodedCostumes = decodeCostumes(costumes);
  for (const started of [preparedScene, decodedCostumes]) started.catch(() => {});
  const drawer = sceneShots({
    scene,
    costumes,
    compose: { ratio, seed, signal, mood, preparedScene, decodedCostumes },
    size: sizeFor(canvasSizes[ratio]),
    factor,
    cut: async (shot) => (await cutGuests([shot], scene, canvasSizes[ratio], options))[0]!,
    paint: (picture, faces) => paintOver(picture, faces, plan, options),
    hasLook: plan.look !== null,
  });
  if (!costume || fits) return drawer;
  const reason = `it is for up to ${mostInCostumes} people, and there are ${guests}`;
  const note: Note = { kind: 'costume', value: costume.title, reason };
  return { ...drawer, ignored: () => [note] };
}

/** Each shot's faces in the template's photo. */
function swappedPictures(template: string, options: RenderOptions) {
  return async (shot: Shot): Promise<ShotPicture> => {
    const { picture, faces } = await swapIntoTemplate([shot], template, ratioFor([shot], options), options);
    return { picture, faces, people: null };
  };
}

/** The photos themselves, each cropped as the first was. */
function placedPictures(
  first: Shot,
  fitted: Pick<ShotPicture, 'picture' | 'faces'>,
  { signal }: RenderOptions,
) {
  const onCanvas = placementOf(first.faces[0]!, fitted.faces[0]!);
  const firstFaces = { photo: sizeOf(first.photo), faces: first.faces };
  return async (shot: Shot): Promise<ShotPicture> => {
    const placement = placeThrough(alignShot(firstFaces, shot), onCanvas);
    const matte = await mattePeople(shot.photo, shot.faces, { fast: true, signal });
    const { width, height } = fitted.picture;
    const window = windowOn(placement, { width, height });
    const part = windowOn({ ...placement, scale: placement.scale * matte.factor }, { width, height });
    const picture =
      shot.index === first.index ? fitted.picture : resamplePicture(shot.photo, window, { width, height });
    return {
      picture,
      faces: shot.faces.map((face) => moveFace(face, placement)),
      people: resample(matte, part, { width, height }),
    };
  };
}

const sizeOf = ({ width, height }: Size): Size => ({ width, height });

/** Where a photo lies on the canvas, by one of its faces there. */
function placementOf(face: Face, placed: Face): Placement {
  const scale = placed.height / face.height;
  return { scale, x: placed.center.x - face.center.x * scale, y: placed.center.y - face.center.y * scale };
}

const windowOn = ({ scale, x, y }: Placement, { width, height }: Size) => ({
  x: -x / scale,
  y: -y / scale,
  width: width / scale,
  height: height / scale,
});
