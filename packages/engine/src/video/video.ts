import type { AspectRatio, VideoModel } from '@guise/contract/families/video.ts';
import type { VideoFile } from './file-provenance.ts';
import type { Motion } from './motion-words.ts';

/** What a video is made from, whichever family asks for it. */
export interface VideoOptions {
  model: VideoModel;
  aspect: AspectRatio;
  frames: number;
  motion: Motion;
  seed: number;
  /** Where the finished file goes, an MP4 unless told. */
  file: string;
  format?: VideoFile;
  signal: AbortSignal;
  /** 0 to 1. */
  progress(done: number): void;
}
