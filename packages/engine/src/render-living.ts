import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canvasSizes } from '@guise/contract/families/canvas.ts';
import type { Note } from '@guise/contract/notes.ts';
import { prepareScene } from './compose/prepared-scene.ts';
import { mostInCostumes } from './costume/arrange-costumes.ts';
import { decodeCostumes } from './costume/costume-layers.ts';
import { findPeople } from './faces/faces.ts';
import { clearRedEyes } from './faces/red-eye.ts';
import type { FamilyRule } from './family-rules.ts';
import { chooseCostumes, cutGuests, isOfOneGuest } from './guests.ts';
import { chooseShots } from './living/choose-shots.ts';
import { withFlowFinder } from './living/frame-flow.ts';
import { windowAround } from './living/keyframe.ts';
import { makeLivingClip } from './living/living-clip.ts';
import { rateShot } from './living/rate-shot.ts';
import { sceneShots } from './living/scene-shots.ts';
import {
  assertShotCount,
  type DrawnShot,
  reasonOf,
  refuseShot,
  type Shot,
  type ShotDrawer,
} from './living/shot.ts';
import { readPhoto } from './pixels/photo.ts';
import type { Picture } from './pixels/picture.ts';
import type { Size } from './pixels/plane.ts';
import { encodePng } from './pixels/png.ts';
import type { RenderPlan } from './plan.ts';
import { paintOver, ratioFor } from './render.ts';
import type { RenderOptions } from './render-options.ts';
import type { LivingFile, LivingRequest } from './request.ts';
import { cannotMake } from './runtime/render-error.ts';
import { beginStage } from './runtime/stages.ts';
import { framesPerSecond } from './video/frame.ts';
import { startFrameThreads } from './video/frame-threads.ts';

/** Who is in the clip, and what shape it has. */
export function livingRule({ filter_id, gender, ratio }: LivingRequest['params']): FamilyRule {
  return {
    people: filter_id === undefined && gender === undefined ? 'everyone' : 'by gender',
    canvas: ratio === undefined ? 'photo' : 'ratio',
  };
}

/** Of the canvas: how large the clip is, and how many of its pixels are one of the network's. */
const resolutions = {
  '720p': { scale: 0.6, factor: 2 },
  '1080p': { scale: 0.9, factor: 3 },
} as const;

const mediaTypes = { mp4: 'video/mp4', gif: 'image/gif', webp: 'image/webp' } as const;

/** Makes a clip of the shots of a burst: people move from shot to shot before a scene that stands still. */
export async function renderLivingPortrait(
  request: LivingRequest,
  plan: RenderPlan,
  options: RenderOptions,
): Promise<LivingFile> {
  const { shots: files, seconds = 3, loop = 'ping_pong', format = 'mp4', scratch } = request;
  const { signal, progress } = options;
  assertShotCount(files.length);
  // They load while people are cut out.
  const threads = startFrameThreads(new URL('./living/living-renderer.ts', import.meta.url));
  try {
    const { drawn, still, ignored, drawer } = await drawShots(files, plan, request, options);
    const window = windowAround(
      drawn.map(({ keyframe }) => keyframe),
      drawn[0]!.guide.factor,
    );
    const file = join(scratch, `result.${format}`);
    const unused = await withFlowFinder(async (find) => {
      const { shots, ignored: unused } = await chooseShots(drawn, window, find);
      signal.throwIfAborted();
      if (shots.length < 2)
        throw cannotMake(
          'People move too far from shot to shot. Take the shots faster, and stand still between them.',
        );
      progress(0.45);
      await makeLivingClip(shots, drawer.scene(), window, {
        ...{ file, format, frames: seconds * framesPerSecond, loop, threads, find, signal },
        progress: (done) => progress(0.45 + 0.55 * done),
      });
      return unused;
    });
    const stillFile = join(scratch, 'still.png');
    await writeFile(stillFile, await encodePng(still));
    return {
      file,
      type: mediaTypes[format],
      still: stillFile,
      applied: [...plan.applied, ...drawer.applied()],
      ignored: [...plan.ignored, ...drawer.ignored(), ...ignored, ...unused],
    };
  } finally {
    await threads.close();
  }
}

interface DrawnShots {
  drawn: DrawnShot[];
  still: Picture;
  ignored: Note[];
  drawer: ShotDrawer;
}

/** Reads the shots one after the other and draws those that fit to the first: no more than one photo is held at a time. */
async function drawShots(
  files: readonly string[],
  plan: RenderPlan,
  request: LivingRequest,
  options: RenderOptions,
): Promise<DrawnShots> {
  const drawn: DrawnShot[] = [];
  const ignored: Note[] = [];
  let first: (Pick<Shot, 'faces'> & { photo: Size }) | null = null;
  let drawer: ShotDrawer | null = null;
  let best: { picture: Picture; rating: number } | null = null;
  for (const [index, file] of files.entries()) {
    const refuse = (reason: string) => ignored.push(refuseShot(index, reason));
    try {
      const shot = await readShot(index, file);
      if (first && shot.faces.length !== first.faces.length) {
        refuse(
          `it shows ${countPeople(shot.faces.length)}, and the first shot ${countPeople(first.faces.length)}`,
        );
        continue;
      }
      drawer ??= drawerFor(shot, plan, request, options);
      const rating = rateShot(shot);
      const { drawn: one, still } = await drawer.draw(shot, best === null || rating > best.rating);
      if (still && (best === null || rating > best.rating)) best = { picture: still, rating };
      first ??= { photo: { width: shot.photo.width, height: shot.photo.height }, faces: shot.faces };
      drawn.push(one);
    } catch (error) {
      refuse(reasonOf(error));
      drawer = first && drawer;
    }
    options.signal.throwIfAborted();
    options.progress((0.4 * (index + 1)) / files.length);
  }
  if (drawn.length < 2)
    throw cannotMake(
      ignored
        .map((note) => ('reason' in note && 'value' in note ? `${note.value}: ${note.reason}.` : ''))
        .join(' '),
    );
  return { drawn, still: best!.picture, ignored, drawer: drawer! };
}

const countPeople = (count: number) => (count === 1 ? 'one person' : `${count} people`);

async function readShot(index: number, file: string): Promise<Shot> {
  beginStage('decode');
  const photo = await readPhoto(file);
  beginStage('faces');
  const faces = await findPeople(photo, { traits: true });
  clearRedEyes(photo, faces);
  return { index, photo, faces };
}

function drawerFor(
  first: Shot,
  plan: RenderPlan,
  request: LivingRequest,
  options: RenderOptions,
): ShotDrawer {
  const { rule, params, seed, signal } = options;
  const { mood, scene, costume } = plan;
  const { scale, factor } = resolutions[request.resolution ?? '720p'];
  if (!scene) throw cannotMake('A living portrait needs a scene.');
  const ratio = ratioFor([first], options);
  const canvas = canvasSizes[ratio];
  const guests = isOfOneGuest(rule, params) ? 1 : first.faces.length;
  const costumes = costume && guests <= mostInCostumes ? chooseCostumes([first], costume, options) : [];
  const preparedScene = prepareScene(scene, { ratio, seed, mood });
  const decodedCostumes = decodeCostumes(costumes);
  for (const started of [preparedScene, decodedCostumes]) started.catch(() => {});
  const silent = { ...options, progress: () => {} };
  return sceneShots({
    scene,
    costumes,
    compose: {
      ratio,
      seed,
      signal,
      mood,
      preparedScene,
      ...(rule.grade && { grade: rule.grade }),
      ...{ decodedCostumes },
    },
    size: { width: Math.round(canvas.width * scale), height: Math.round(canvas.height * scale) },
    factor,
    cut: async (shot) => (await cutGuests([shot], scene, canvas, silent))[0]!,
    paint: (picture, faces) => paintOver(picture, faces, plan, options),
    hasLook: plan.look !== null,
  });
}
