import type { MediaType } from '@guise/contract/families/families.ts';
import type { GenerationRequest } from '@guise/contract/families/requests.ts';
import type { Notes } from '@guise/contract/notes.ts';

/** What is to be rendered. */
export type RenderRequest = GenerationRequest & {
  /** Paths of the photos, in the order of the family's image fields. */
  images: readonly string[];
  /** A folder for this request alone, which the result is written to. */
  scratch: string;
};
export type PictureRequest = Extract<RenderRequest, { output: 'image' }>;
export type VideoRequest = Extract<RenderRequest, { output: 'video' }>;

export interface RenderContext {
  signal: AbortSignal;
  /** 0 to 1. */
  progress(done: number): void;
}

export interface RenderedFile extends Notes {
  /** Path of the finished file inside `scratch`. */
  file: string;
  type: MediaType;
}
