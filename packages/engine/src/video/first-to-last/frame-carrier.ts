import type { Face } from '../../faces/face.ts';
import type { Picture } from '../../pixels/picture.ts';
import type { Size } from '../../pixels/plane.ts';
import type { VideoQuality } from '../formats.ts';

/** One of two frames as a picture, and its faces in the picture's pixels. */
export interface WholeFrame {
  picture: Picture;
  faces: Face[];
}

export interface CarriedClip {
  file: string;
  size: Size;
  frames: number;
  quality: Pick<VideoQuality, 'preset' | 'crf'>;
  signal: AbortSignal;
  /** 0 to 1. */
  progress(done: number): void;
}

/** Carries what moves from one frame to another, where too little stands still for one to be bent into the other. */
export interface FrameCarrier {
  /** Whether that looks right. */
  fits(first: WholeFrame, last: WholeFrame): Promise<boolean>;
  make(first: WholeFrame, last: WholeFrame, clip: CarriedClip): Promise<void>;
}
