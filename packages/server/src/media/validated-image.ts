import type { Size } from '@guise/contract/families/canvas.ts';

/**
 * What is looped over in one iteration of the event loop. Every byte of 20 MB can be made to need the loop, which took up to
 * 800 ms of CPU.
 */
export const sliceBytes = 512 * 1024;

/** What is known of an image file whose structure was validated without decoding it. */
export interface ValidatedImage {
  /** As the file states it: the photo of an upright camera may be stored lying on its side. */
  size: Size;
  /** The offset after the image's last byte; a file may go on after it. */
  end: number;
}
