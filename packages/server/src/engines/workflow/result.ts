import { join } from 'node:path';
import type { Notes } from '@guise/contract/notes.ts';
import type { EngineResult } from '../engine.ts';
import { finishPicture } from './picture.ts';
import type { Shape } from './picture-shape.ts';
import { finishVideo } from './video.ts';

/** What came from a server is checked, converted to what the contract promises and freed of its metadata. */
export async function finish(
  source: string,
  scratch: string,
  shape: Shape,
  notes: Notes,
  signal: AbortSignal,
): Promise<EngineResult> {
  const video = shape.type === 'video/mp4';
  const file = join(scratch, video ? 'result.mp4' : 'result.png');
  const added = video
    ? await finishVideo(source, file, shape, signal)
    : await finishPicture(source, file, shape);
  signal.throwIfAborted();
  return {
    file,
    type: shape.type,
    applied: video ? notes.applied : [...notes.applied, ...added],
    ignored: video ? [...notes.ignored, ...added] : notes.ignored,
  };
}
