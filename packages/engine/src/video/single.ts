import type { VideoModel } from '@guise/contract/families/video.ts';
import type { Notes } from '@guise/contract/notes.ts';
import { findFaces, withoutBystanders } from '../faces/faces.ts';
import { readPhoto } from '../pixels/photo.ts';
import { makeClip } from './clip.ts';
import { qualities } from './formats.ts';
import { startFrameThreads } from './frame-threads.ts';
import { setStage } from './layers/set-stage.ts';
import type { Stage } from './layers/stage.ts';
import { notesOf } from './motion-notes.ts';
import type { VideoOptions } from './video.ts';

/** The photo's longest side: as much as the layers show of it. */
const photoSide: Record<VideoModel, number> = { simple: 2048, advanced: 1920, performance: 2560 };

/** A video from one photo. */
export async function renderSingleFrame(file: string, options: VideoOptions): Promise<Notes> {
  const { model, motion, signal, progress } = options;
  // They load while the stage is set.
  const threads = startFrameThreads(new URL('./single-renderer.ts', import.meta.url));
  try {
    const stage = await stageFrom(file, options);
    signal.throwIfAborted();
    const begun = model === 'simple' ? 0.05 : 0.3;
    progress(begun);
    await makeClip({
      file: options.file,
      format: options.format,
      size: stage.size,
      frames: options.frames,
      quality: qualities[model],
      threads,
      data: stage,
      signal,
      progress: (done) => progress(begun + (1 - begun) * done),
    });
    return notesOf(motion, stage, model);
  } finally {
    await threads.close();
  }
}

/** Apart from the rendering, during which nothing holds on to the photo. */
async function stageFrom(file: string, options: VideoOptions): Promise<Stage> {
  const { model, signal, progress } = options;
  const photo = await readPhoto(file, photoSide[model]);
  signal.throwIfAborted();
  const faces = withoutBystanders(await findFaces(photo, { traits: false, irises: false }));
  signal.throwIfAborted();
  progress(0.03);
  return setStage(photo, faces, options);
}
