import type { AspectRatio, VideoModel } from '@guise/contract/families/video.ts';
import type { Motion } from './motion-words.ts';

/** What a video is made from, whichever family asks for it. */
export interface VideoOptions {
  model: VideoModel;
  aspect: AspectRatio;
  frames: number;
  motion: Motion;
  seed: number;
  /** Where the finished MP4 goes. */
  file: string;
  signal: AbortSignal;
  /** 0 to 1. */
  progress(done: number): void;
}
