import type { VideoModel } from '@guise/contract/video.ts';
import { findFaces } from '../faces/faces.ts';
import { readPhoto } from '../photo.ts';
import { makeClip } from './clip.ts';
import { mainFaces } from './crop.ts';
import { qualities } from './formats.ts';
import { setStage } from './layers/set-stage.ts';
import type { Stage } from './layers/stage.ts';
import type { Motion } from './motion-words.ts';
import type { VideoNotes, VideoOptions } from './video.ts';

/** The photo's longest side: as much as the layers show of it. */
const photoSide: Record<VideoModel, number> = { simple: 2048, advanced: 1920, performance: 2560 };

/** A video from one photo. */
export async function renderSingleFrame(file: string, options: VideoOptions): Promise<VideoNotes> {
  const { model, motion, signal, progress } = options;
  const stage = await stageFrom(file, options);
  signal.throwIfAborted();
  const begun = model === 'simple' ? 0.05 : 0.3;
  progress(begun);
  await makeClip({
    file: options.file,
    size: stage.size,
    frames: options.frames,
    quality: qualities[model],
    source: { module: new URL('./single-renderer.ts', import.meta.url), data: stage },
    signal,
    progress: (done) => progress(begun + (1 - begun) * done),
  });
  return told(motion, stage, model);
}

/** Apart from the rendering, during which nothing holds on to the photo. */
async function stageFrom(file: string, options: VideoOptions): Promise<Stage> {
  const { model, signal, progress } = options;
  const photo = await readPhoto(file, photoSide[model]);
  signal.throwIfAborted();
  const faces = mainFaces(await findFaces(photo, { traits: false }));
  signal.throwIfAborted();
  progress(0.03);
  return setStage(photo, faces, options);
}

/** What came of the prompt: a model without layers, or a photo without people, cannot follow all of it. */
export function told(motion: Motion, { people }: Pick<Stage, 'people'>, model: VideoModel): VideoNotes {
  const applied: string[] = [];
  const ignored = [...motion.ignored];
  for (const line of motion.applied) {
    if (model === 'simple' && line.startsWith('effect:')) ignored.push(`${line}: not with the model simple`);
    else if (line.startsWith('transition:')) ignored.push(`${line}: only between two frames`);
    else if (line.startsWith('effect: breeze') && !people)
      ignored.push(`${line}: nobody was found to be in it`);
    else if (model === 'simple' && /^camera: (orbit|dolly)/.test(line))
      applied.push(`${line}, without depth`);
    else applied.push(line);
  }
  return { applied, ignored };
}
