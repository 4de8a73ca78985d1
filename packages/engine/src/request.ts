import type { AnyParams, MediaType } from '@guise/contract/families/families.ts';
import type { GenerationRequest } from '@guise/contract/families/requests.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import type { Notes } from '@guise/contract/notes.ts';
import type { LivingLoop } from './living/frame-times.ts';
import type { VideoFile } from './video/file-provenance.ts';

/** What is to be rendered. */
export type RenderRequest = GenerationRequest & {
  /** Paths of the photos, in the order of the family's image fields. */
  images: readonly string[];
  /** A folder for this request alone, which the result is written to. */
  scratch: string;
};
export type PictureRequest = Extract<RenderRequest, { output: 'image' }>;
export type VideoRequest = Extract<RenderRequest, { output: 'video' }>;
export type LoopRequest = Extract<RenderRequest, { output: 'loop' }>;

/** The shots of a burst that are to become a short clip, in which people move between them. */
export interface LivingRequest {
  family: 'living_portrait';
  /** Paths of 2 to 8 photos, in the order in which they were taken. */
  shots: readonly string[];
  /** As for one picture. */
  filter: FilterDefinition | null;
  prompt: string | null;
  /** Everybody is shown where neither a filter of one person nor a gender is given, and the clip has the first shot's shape where `ratio` is not. */
  params: Pick<AnyParams, 'filter_id' | 'gender' | 'ratio' | 'seed' | 'quality_mode'>;
  /** 2 to 6, and 3 where it is not given. */
  seconds?: number;
  loop?: LivingLoop;
  format?: VideoFile;
  /** The shorter side of the clip, nearly: pictures of 1200 × 1800 become clips of 720 × 1080 or 1080 × 1620. */
  resolution?: '720p' | '1080p';
  /** A folder for this request alone, which the result is written to. */
  scratch: string;
}

/** A finished clip. */
export interface LivingFile extends Notes {
  file: string;
  type: 'video/mp4' | 'image/gif' | 'image/webp';
  /** A PNG of the best shot, as a picture of its own: for prints, and for players until they play. */
  still: string;
}

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
