import { join } from 'node:path';
import type { Notes } from '@guise/contract/notes.ts';
import type { EngineContext, EngineResult } from '../engine.ts';
import type { Shape } from './picture-shape.ts';
import { finishVideo } from './video.ts';

/** What came from a server is checked, converted to what the contract promises and freed of its metadata. */
export async function finish(
  source: string,
  scratch: string,
  shape: Shape,
  notes: Notes,
  context: Pick<EngineContext, 'signal' | 'fileWritten' | 'decoder'>,
): Promise<EngineResult> {
  const { type } = shape;
  const { signal, decoder, fileWritten } = context;
  const video = type === 'video/mp4';
  // Another name than that of an engine which takes the run over: this file may still be being stored then.
  const file = join(scratch, video ? 'from-server.mp4' : 'from-server.png');
  const added = video
    ? await finishVideo({ source, target: file }, shape, context)
    : await decoder.finishPicture({ source, target: file, shape }, () => fileWritten?.({ file, type }));
  signal.throwIfAborted();
  return {
    ...notes,
    file,
    type,
    applied: video ? notes.applied : [...notes.applied, ...added],
    ignored: video ? [...notes.ignored, ...added] : notes.ignored,
  };
}
