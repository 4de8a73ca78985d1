import type { Runner } from '../../pool/runner.ts';
import type { DecodingTasks } from '../decoding-tasks.ts';
import { decodeFrames, measureAnimation } from './animation.ts';
import { checkPicture } from './check-picture.ts';
import { convertPicture, encodePhoto, shrinkPicture } from './encode-photo.ts';
import { cutFace, layIntoFrame } from './face-photos.ts';
import { finishPicture } from './finish-picture.ts';
import { photoToSend } from './photo-to-send.ts';
import { takeShots } from './take-shots.ts';

export const decodingTasks: DecodingTasks = {
  checkPicture,
  encodePhoto,
  shrinkPicture,
  convertPicture,
  takeShots,
  photoToSend,
  cutFace,
  layIntoFrame,
  finishPicture,
  measureAnimation,
  decodeFrames,
};

/** Decodes pictures inside a child process of their pool. */
export function createRunner(): Runner {
  return { decode: ({ name, asked }, onWritten) => decodingTasks[name](asked as never, onWritten) };
}
