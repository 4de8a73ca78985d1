import { type Size, type VideoFormat, videoSizes } from '@guise/contract/families/canvas.ts';
import { type Duration, secondsOf, type VideoModel } from '@guise/contract/families/video.ts';
import { framesPerSecond } from './frame.ts';

/** How fine a model paints, and how hard its encoder tries. */
export interface VideoQuality {
  /** Of the sizes of the formats. */
  scale: number;
  preset: 'veryfast' | 'faster' | 'medium';
  /** Lower is finer. */
  crf: number;
}

export const qualities: Record<VideoModel, VideoQuality> = {
  simple: { scale: 1, preset: 'veryfast', crf: 20 },
  advanced: { scale: 1, preset: 'veryfast', crf: 19 },
  performance: { scale: 1.5, preset: 'faster', crf: 18 },
};

export function frameSize(format: VideoFormat, model: VideoModel): Size {
  const { width, height } = videoSizes[format];
  const { scale } = qualities[model];
  return { width: width * scale, height: height * scale };
}

export function frameCount(duration: Duration): number {
  return secondsOf(duration) * framesPerSecond;
}

/** The format nearest to a shape; of two that are equally near, the upright one. */
export function nearestAspect(width: number, height: number): VideoFormat {
  const shape = Math.log(width / height);
  const distance = (format: VideoFormat) =>
    Math.abs(Math.log(videoSizes[format].width / videoSizes[format].height) - shape);
  return (['2:3', '9:16', '3:2', '16:9'] as const).reduce((best, format) =>
    distance(format) < distance(best) - 1e-6 ? format : best,
  );
}
