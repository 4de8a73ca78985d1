import type { TemplateCheck } from '@guise/contract/definition-checks.ts';
import type { Size } from '@guise/contract/families/canvas.ts';
import type { PictureTask, PictureTaskResults } from '@guise/engine/picture-tasks.ts';
import type { Engine } from '../engine.ts';

/** The file of a photo, and those that are made of it. */
export interface EncodedFiles {
  photo: string;
  jpeg: string;
  thumbnail: string;
}

/** What does the work of a pool inside each of its child processes: what the pool is never asked for may be absent. */
export interface Runner {
  run?: Engine['run'];
  checkTemplate?(file: string): Promise<TemplateCheck>;
  doPictureTask?(task: PictureTask): Promise<PictureTaskResults[PictureTask['kind']]>;
  /** Returns the size of the JPEG. */
  encodePhoto?(files: EncodedFiles): Promise<Size>;
  /** Loads what the first run would otherwise wait for. */
  warmUp?(): Promise<void>;
}

/** A module whose runners a pool's children make, once each. */
export interface RunnerModule {
  /** `settings` are those of the pool, as JSON carries them. */
  createRunner(settings: unknown): Runner;
}
