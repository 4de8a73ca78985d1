import type { VideoModel } from '@guise/contract/families/video.ts';
import type { ChoiceNote, Note, Notes } from '@guise/contract/notes.ts';
import { findFaces, withoutBystanders } from '../faces/faces.ts';
import { readPhoto } from '../pixels/photo.ts';
import { makeClip } from './clip.ts';
import { qualities } from './formats.ts';
import { startFrameThreads } from './frame-threads.ts';
import { setStage } from './layers/set-stage.ts';
import type { Stage } from './layers/stage.ts';
import { axes } from './motion-concepts.ts';
import type { Gesture, Motion } from './motion-words.ts';
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

/** The camera moves that show depth: without layers the picture only grows or slides. */
const movesWithDepth = new Set<string>([...axes.orbit, ...axes.dolly]);

/** What came of the prompt: a model without layers, or a photo without people, cannot follow all of it. */
export function notesOf(motion: Motion, { people }: Pick<Stage, 'people'>, model: VideoModel): Notes {
  const applied: Note[] = [];
  const ignored = [...motion.ignored];
  for (const note of motion.applied) {
    if (note.kind === 'effect' && model === 'simple')
      ignored.push({ ...note, reason: 'not with the model simple' });
    else if (note.kind === 'transition') ignored.push({ ...note, reason: 'only between two frames' });
    else if (note.kind === 'effect' && note.value === 'breeze' && !people)
      ignored.push({ ...note, reason: 'nobody was found to be in it' });
    else if (note.kind === 'gesture') judgeGesture(note, model, people, { applied, ignored });
    else if (note.kind === 'camera' && model === 'simple' && movesWithDepth.has(note.value))
      applied.push({ ...note, without: 'depth' });
    else applied.push(note);
  }
  return { applied, ignored };
}

/** A gesture is followed as soon as one face does it; who does not is told too. */
function judgeGesture(
  note: ChoiceNote,
  model: VideoModel,
  people: Stage['people'],
  { applied, ignored }: Notes,
): void {
  const refusal = people?.gestures.refused[note.value as Gesture];
  if (model === 'simple') ignored.push({ ...note, reason: 'not with the model simple' });
  else if (!people) ignored.push({ ...note, reason: 'nobody was found to do it' });
  else if (refusal?.everybody) ignored.push({ ...note, reason: refusal.reason });
  else applied.push(note);
  if (people && refusal && !refusal.everybody)
    ignored.push({ ...note, reason: `not by ${refusal.people} of the people, because ${refusal.reason}` });
}
