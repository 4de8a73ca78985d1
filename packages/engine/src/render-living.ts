import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Note } from '@guise/contract/notes.ts';
import { clearRedEyes } from './faces/red-eye.ts';
import type { FamilyRule } from './family-rules.ts';
import { chooseShots } from './living/choose-shots.ts';
import { withFlowFinder } from './living/frame-flow.ts';
import { windowAround } from './living/keyframe.ts';
import { makeLivingClip } from './living/living-clip.ts';
import { assertShotCount, type DrawnShot, reasonOf, refuseShot, type ShotDrawer } from './living/shot.ts';
import { type SurveyedShot, surveyShots } from './living/survey-shots.ts';
import { createShotDrawer } from './living-drawers.ts';
import { readPhoto } from './pixels/photo.ts';
import type { Picture } from './pixels/picture.ts';
import { encodePng } from './pixels/png.ts';
import type { RenderPlan } from './plan.ts';
import type { RenderOptions } from './render-options.ts';
import type { LivingFile, LivingRequest } from './request.ts';
import { cannotMake } from './runtime/render-error.ts';
import { qualities } from './video/formats.ts';
import { framesPerSecond } from './video/frame.ts';
import { startFrameThreads } from './video/frame-threads.ts';
import { readMotion } from './video/motion-words.ts';
import { renderSingleFrame } from './video/single.ts';

/** Who is in the clip, and what shape it has. */
export function livingRule({ filter_id, gender, ratio }: LivingRequest['params']): FamilyRule {
  return {
    people: filter_id === undefined && gender === undefined ? 'everyone' : 'by gender',
    canvas: ratio === undefined ? 'photo' : 'ratio',
  };
}

const mediaTypes = { mp4: 'video/mp4', gif: 'image/gif', webp: 'image/webp' } as const;

export interface LivingOptions extends RenderOptions {
  /** Where converted models are kept between starts. */
  cacheDir: string | null;
}

/** The request with everything that it leaves open. */
type WholeRequest = LivingRequest & Required<Pick<LivingRequest, 'seconds' | 'loop' | 'format'>>;

/**
 * Makes a clip of the shots of a burst: people move from shot to shot before a scene that stands still. Where only one
 * shot is left, it becomes a video of one photo.
 */
export async function renderLivingPortrait(
  request: LivingRequest,
  plan: RenderPlan,
  options: LivingOptions,
): Promise<LivingFile> {
  const { seconds = 3, loop = 'ping_pong', format = 'mp4', scratch } = request;
  assertShotCount(request.shots.length);
  if (!(seconds >= 2 && seconds <= 6)) throw cannotMake('A living portrait lasts 2 to 6 seconds.');
  const whole: WholeRequest = { ...request, seconds, loop, format };
  const file = join(scratch, `result.${format}`);
  const { drawer, still, left, ignored } = await drawClip(file, whole, plan, options);
  const stillFile = join(scratch, 'still.png');
  await writeFile(stillFile, await encodePng(still));
  const applied: Note[] = [];
  if (left < 2) {
    await renderOneShot(stillFile, file, whole, options);
    const reason = 'no other shot goes together with it';
    applied.push({ kind: 'input', value: 'video of one shot', reason });
  }
  const notFollowed = drawer.ignored();
  const followed = plan.applied.filter(({ kind }) => !notFollowed.some((note) => note.kind === kind));
  return {
    file,
    type: mediaTypes[format],
    still: stillFile,
    applied: [...followed, ...drawer.applied(), ...applied],
    ignored: [...plan.ignored, ...notFollowed, ...ignored],
    ...drawer.quality(),
  };
}

interface DrawnClip {
  drawer: ShotDrawer;
  still: Picture;
  /** The number of shots that go together; with one there is no clip yet. */
  left: number;
  ignored: Note[];
}

/** Chooses the shots that go together, draws them and makes the clip. */
async function drawClip(
  file: string,
  request: WholeRequest,
  plan: RenderPlan,
  options: LivingOptions,
): Promise<DrawnClip> {
  const { seconds, loop, format } = request;
  const { signal, progress, cacheDir } = options;
  const { shots: surveyed, size, refused } = await surveyShots(request.shots, signal);
  if (surveyed.length < 2) throw cannotMake(sentenceOn(refused));
  progress(0.1);
  const choose = (shots: readonly SurveyedShot[]) =>
    withFlowFinder((find) => chooseShots(shots, size, find), cacheDir);
  const chosen = await choose(surveyed);
  // They load while people are cut out.
  const threads = startFrameThreads(new URL('./living/living-renderer.ts', import.meta.url));
  try {
    const burst = await drawShots(chosen.shots, request, plan, options);
    // Where one could not be drawn, those beside it have not been compared.
    const kept = burst.refused.length > 0 ? await choose(burst.shots) : { ...burst, ignored: [] };
    const drawn = burst.drawn.filter(({ index }) => kept.shots.some((shot) => shot.index === index));
    progress(0.45);
    if (drawn.length > 1) {
      const clip = {
        file,
        format,
        frames: seconds * framesPerSecond,
        loop,
        quality: qualities.performance,
        threads,
        signal,
      };
      const report = (done: number) => progress(0.45 + 0.55 * done);
      await withFlowFinder(
        (find) =>
          makeLivingClip(drawn, burst.drawer.scene(), windowOf(drawn), { ...clip, find, progress: report }),
        cacheDir,
      );
    }
    const all = [...refused, ...burst.refused].map(({ index, reason }) => refuseShot(index, reason));
    const ignored = [...all, ...chosen.ignored, ...kept.ignored];
    return { drawer: burst.drawer, still: burst.still, left: drawn.length, ignored };
  } finally {
    await threads.close();
  }
}

const windowOf = (shots: readonly DrawnShot[]) =>
  windowAround(
    shots.map(({ keyframe }) => keyframe),
    shots[0]!.guide.factor,
  );

interface DrawnBurst {
  shots: SurveyedShot[];
  drawn: DrawnShot[];
  still: Picture;
  refused: { index: number; reason: string }[];
  drawer: ShotDrawer;
}

/** Draws these shots one after the other, each as the first that can be drawn: one photo is held at a time. */
async function drawShots(
  chosen: readonly SurveyedShot[],
  request: WholeRequest,
  plan: RenderPlan,
  options: RenderOptions,
): Promise<DrawnBurst> {
  const refused = new Map<SurveyedShot, string>();
  const made = new Map<SurveyedShot, DrawnShot>();
  const best = Math.max(...chosen.map(({ rating }) => rating));
  let drawer: ShotDrawer | null = null;
  let still: Picture | null = null;
  const draw = async (one: SurveyedShot): Promise<void> => {
    try {
      const photo = await readPhoto(one.file);
      clearRedEyes(photo, one.faces);
      const shot = { index: one.index, photo, faces: one.faces };
      const drawing = drawer ?? (await createShotDrawer(shot, plan, request, options));
      const result = await drawing.draw(shot, drawer === null || one.rating === best);
      drawer = drawing;
      if (result.still && (still === null || one.rating === best)) still = result.still;
      made.set(one, result.drawn);
      refused.delete(one);
    } catch (error) {
      refused.set(one, reasonOf(error));
    }
    options.signal.throwIfAborted();
    options.progress(0.1 + (0.35 * (made.size + refused.size)) / chosen.length);
  };
  for (const one of chosen) await draw(one);
  // A shot that cannot be the first may still be one of the others.
  const [reference] = made.keys();
  for (const one of [...refused.keys()]) if (reference && one.index < reference.index) await draw(one);
  if (!drawer || !still) throw cannotMake(sentenceOn(reasonsOf(refused)));
  const shots = chosen.filter((one) => made.has(one));
  return { shots, drawn: shots.map((one) => made.get(one)!), still, refused: reasonsOf(refused), drawer };
}

const reasonsOf = (refused: ReadonlyMap<SurveyedShot, string>): DrawnBurst['refused'] =>
  [...refused].map(([{ index }, reason]) => ({ index, reason }));

/** Why there are not two shots of the same people. */
function sentenceOn(refused: readonly { index: number; reason: string }[]): string {
  const reasons = new Set(refused.map(({ reason }) => reason));
  if (reasons.size === 1 && refused.length > 1) return `${[...reasons][0]}.`;
  return refused.map((one) => `Shot ${one.index + 1}: ${one.reason}.`).join(' ');
}

/** The best shot as a video of one photo. */
async function renderOneShot(
  still: string,
  file: string,
  { seconds, format }: WholeRequest,
  { seed, signal, progress }: RenderOptions,
): Promise<void> {
  await renderSingleFrame(still, {
    ...{ model: 'advanced', aspect: 'auto', motion: readMotion(''), seed, file, format, signal },
    frames: seconds * framesPerSecond,
    progress: (done) => progress(0.45 + 0.55 * done),
  });
}
