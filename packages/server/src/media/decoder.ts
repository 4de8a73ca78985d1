import type { TemplateCheck } from '@guise/contract/definition-checks.ts';
import type { Size } from '@guise/contract/families/canvas.ts';
import type { Note } from '@guise/contract/notes.ts';

/**
 * Decodes pictures that others made, in processes that have no secrets and serve nobody. What a decoder is asked for and
 * what it gives are bytes, sizes and paths of files in the scratch folder.
 */
export interface Decoder {
  /** Decodes a small file whole. `INVALID_IMAGE` where it is damaged. */
  checkPicture(bytes: Uint8Array, asked: DecodingCaller): Promise<void>;
  /** Works on files in a folder of its own when it is the caller's turn. The folder is removed afterwards. */
  inTurn<T>(asked: DecodingCaller, work: (tasks: FileTasks, folder: string) => Promise<T>): Promise<T>;
  /** What engines do for a job, which has had its turn. Its files are in the job's folder. */
  forJob(signal: AbortSignal): JobTasks;
  close(): Promise<void>;
}

/** Whose picture it is: accounts take turns. */
export interface DecodingCaller {
  accountId: string;
  /** Aborts when the caller hangs up: what still waits for its turn is left out. */
  signal?: AbortSignal | undefined;
}

/** What is done with a file that an account sent or got. */
export interface FileTasks {
  /** Writes a photo upright, without metadata of the camera, as a JPEG and small as WebP. Gives the size of the JPEG. */
  encodePhoto(asked: { photo: string; jpeg: string; thumbnail: string }): Promise<Size>;
  /** Writes a picture as WebP, no larger than it is. */
  shrinkPicture(asked: {
    file: string;
    target: string;
    within: Partial<Size>;
    quality: number;
  }): Promise<void>;
  convertPicture(asked: ConvertedPicture): Promise<void>;
  /** Writes the sharpest frames of a video as JPEG files into a folder, and gives their paths. `INVALID_VIDEO` where there are none. */
  takeShots(asked: { video: string; folder: string }): Promise<string[]>;
}

/** How small thumbnails of photos and results are, as WebP. */
export const thumbnailSize = { within: { width: 384, height: 384 }, quality: 80 } as const;

export interface ConvertedPicture {
  file: string;
  target: string;
  format: 'jpeg' | 'webp';
  /** 1 to 100. */
  quality: number;
}

/** What is done with the photos of a job that a server makes, and with what comes back from there. */
export interface JobTasks {
  /**
   * A photo as it leaves this server: upright, without its metadata, no larger than a workflow can use. Transparent parts
   * become white, unless the workflow reads them.
   */
  photoToSend(asked: { file: string; readsMask?: boolean }): Promise<PhotoToSend>;
  /** The face upright in a square. What lies outside the photo is grey. */
  cutFace(asked: { file: string; face: FoundFace }): Promise<PhotoToSend>;
  /** The photo in the result's shape, moved and scaled so that the face is where and as large as a portrait has it. */
  layIntoFrame(asked: { file: string; face: FoundFace; frame: Size }): Promise<PhotoToSend>;
  /** Writes what a server sent as the PNG that is promised. `onWritten` is called when it can be read. */
  finishPicture(asked: FinishedPicture, onWritten?: () => void): Promise<Note[]>;
  /** Null where the file is no animation. */
  measureAnimation(asked: { file: string }): Promise<Animation | null>;
  /** Writes frames of an animation as rows of red, green and blue bytes. */
  decodeFrames(asked: { file: string; target: string; from: number; count: number }): Promise<void>;
}

export interface FinishedPicture {
  source: string;
  target: string;
  /** Pictures of single guests have exactly this size; of groups, this longest side and their own shape. */
  shape: Size & { exact: boolean };
}

export interface PhotoToSend extends Size {
  bytes: Buffer;
  /** What its file is called after: JPEG unless a workflow reads its transparency. */
  extension: 'jpg' | 'png';
}

/** A face in pixels of the photo as it is shown. */
export type FoundFace = TemplateCheck['faces'][number];

export interface Animation extends Size {
  frames: number;
  fps: number;
}
