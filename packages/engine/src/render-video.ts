import { join } from 'node:path';
import type { FamilyOf } from '@guise/contract/families/families.ts';
import type { Notes } from '@guise/contract/notes.ts';
import { createFrameCarrier } from './living/carry-frames.ts';
import type { RenderContext, RenderedFile, VideoRequest } from './request.ts';
import { renderFirstToLast } from './video/first-to-last/first-to-last.ts';
import { frameCount } from './video/formats.ts';
import { readMotion } from './video/motion-words.ts';
import { renderSingleFrame } from './video/single.ts';
import type { VideoOptions } from './video/video.ts';

type Renderer = (photos: readonly string[], options: VideoOptions, cacheDir: string | null) => Promise<Notes>;

/** What each family of videos is rendered by. */
const renderers: Readonly<Record<FamilyOf<'video'>, Renderer>> = {
  single_frame_video: ([photo], options) => renderSingleFrame(photo!, options),
  first_last_frame_video: (photos, options, cacheDir) =>
    renderFirstToLast(photos, options, createFrameCarrier(cacheDir)),
};

export interface VideoContext extends RenderContext {
  /** Where converted models are kept between starts. */
  cacheDir: string | null;
}

/** Renders the video that a request asks for and leaves it as an MP4 in its scratch folder. */
export async function renderVideo(
  request: VideoRequest,
  seed: number,
  { signal, progress, cacheDir }: VideoContext,
): Promise<RenderedFile> {
  const { model, duration, prompt } = request.params;
  const file = join(request.scratch, 'result.mp4');
  const options: VideoOptions = {
    model,
    aspect: request.family === 'single_frame_video' ? request.params.aspect_ratio : 'auto',
    frames: frameCount(duration),
    motion: readMotion(prompt),
    seed,
    file,
    signal,
    progress,
  };
  const { applied, ignored } = await renderers[request.family](request.images, options, cacheDir);
  return { file, type: 'video/mp4', applied, ignored };
}
