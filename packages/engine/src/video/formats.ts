import type { Size } from '../pixels/plane.ts';

export type AspectRatio = '16:9' | '9:16' | '3:2' | '2:3';
export type VideoModel = 'simple' | 'advanced' | 'performance';

export const framesPerSecond = 24;

const sizes: Record<AspectRatio, Size> = {
  '16:9': { width: 1280, height: 720 },
  '9:16': { width: 720, height: 1280 },
  '3:2': { width: 1152, height: 768 },
  '2:3': { width: 768, height: 1152 },
};

/** How fine a model paints, and how hard its encoder tries. */
export interface Quality {
  /** Of the sizes above. */
  scale: number;
  preset: 'veryfast' | 'faster' | 'medium';
  /** Lower is finer. */
  crf: number;
}

export const qualities: Record<VideoModel, Quality> = {
  simple: { scale: 1, preset: 'veryfast', crf: 20 },
  advanced: { scale: 1, preset: 'veryfast', crf: 19 },
  performance: { scale: 1.5, preset: 'faster', crf: 18 },
};

export function frameSize(aspect: AspectRatio, model: VideoModel): Size {
  const { width, height } = sizes[aspect];
  const { scale } = qualities[model];
  return { width: width * scale, height: height * scale };
}

export function frameCount(duration: string): number {
  return Number.parseInt(duration, 10) * framesPerSecond;
}

/** The format nearest to a shape; of two that are equally near, the upright one. */
export function nearestAspect(width: number, height: number): AspectRatio {
  const shape = Math.log(width / height);
  const distance = (aspect: AspectRatio) =>
    Math.abs(Math.log(sizes[aspect].width / sizes[aspect].height) - shape);
  return (['2:3', '9:16', '3:2', '16:9'] as const).reduce((best, aspect) =>
    distance(aspect) < distance(best) - 1e-6 ? aspect : best,
  );
}
