import type { TemplateCheck } from '@guise/contract/definition-checks.ts';
import type {
  GeneratedPicture,
  GuestPhotos,
  IdentityCheck,
  PhotoPeople,
} from '@guise/engine/identity-check.ts';
import type { PictureTask, PictureTaskResults } from '@guise/engine/picture-tasks.ts';
import type { DecodingTask } from '../decoding/decoding-tasks.ts';
import type { EngineContext, EngineRequest, EngineResult } from '../engine.ts';

/** What does the work of a pool inside each of its child processes: what the pool is never asked for may be absent. */
export interface Runner {
  run?(request: EngineRequest, context: RunnerContext): Promise<EngineResult>;
  checkTemplate?(file: string): Promise<TemplateCheck>;
  findGuests?(photos: GuestPhotos): Promise<PhotoPeople>;
  checkIdentity?(made: GeneratedPicture): Promise<IdentityCheck>;
  doPictureTask?(task: PictureTask): Promise<PictureTaskResults[PictureTask['kind']]>;
  /** `onWritten` says that a file is written, before the task ends. */
  decode?(task: DecodingTask, onWritten: () => void): Promise<unknown>;
  /** Loads what the first run would otherwise wait for. */
  warmUp?(): Promise<void>;
}

/** What a run is told inside a child: it decodes there. */
export type RunnerContext = Omit<EngineContext, 'decoder'>;

/** A module whose runners a pool's children make, once each. */
export interface RunnerModule {
  /** `settings` are those of the pool, as JSON carries them. */
  createRunner(settings: unknown): Runner;
}
