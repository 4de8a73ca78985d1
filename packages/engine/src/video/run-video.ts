import { join } from 'node:path';
import type { EngineContext, EngineRequest, EngineResult } from '@guise/server/engines/engine.ts';
import { z } from 'zod';
import { makeFirstLast } from './first-to-last/first-to-last.ts';
import { frameCount } from './formats.ts';
import { readMotion } from './motion-words.ts';
import { makeSingleFrame } from './single.ts';
import type { MadeVideo, VideoOptions } from './video.ts';

const Params = z.object({
  prompt: z.string(),
  model: z.enum(['simple', 'advanced', 'performance']),
  duration: z.enum(['4s', '6s', '8s']),
  aspect_ratio: z.enum(['auto', '16:9', '9:16', '3:2', '2:3']).default('auto'),
});

type Maker = (photos: readonly string[], options: VideoOptions) => Promise<MadeVideo>;

/** What each family of videos is made by. */
export const videoMakers: Readonly<Record<string, Maker>> = {
  single_frame_video: ([photo], options) => makeSingleFrame(photo!, options),
  first_last_frame_video: makeFirstLast,
};

/** Makes the video that a request asks for and leaves it as an MP4 in the run's scratch folder. */
export async function runVideo(
  make: Maker,
  request: EngineRequest,
  seed: number,
  { signal, progress }: EngineContext,
): Promise<EngineResult> {
  const { prompt, model, duration, aspect_ratio } = Params.parse(request.params);
  const file = join(request.scratch, 'result.mp4');
  const { applied, ignored } = await make(request.images, {
    model,
    aspect: aspect_ratio,
    frames: frameCount(duration),
    motion: readMotion(prompt),
    seed,
    file,
    signal,
    progress,
  });
  return { file, type: 'video/mp4', applied, ignored };
}
