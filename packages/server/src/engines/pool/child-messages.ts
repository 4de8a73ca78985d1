import type { TemplateCheck } from '@guise/contract/definition-checks.ts';
import type {
  GeneratedPicture,
  GuestPhotos,
  IdentityCheck,
  PhotoPeople,
} from '@guise/engine/identity-check.ts';
import type { PictureTask, PictureTaskResults } from '@guise/engine/picture-tasks.ts';
import type { AppErrorCode } from '../../errors.ts';
import type { DecodingTask } from '../decoding/decoding-tasks.ts';
import type { EngineRequest, EngineResult } from '../engine.ts';

/** Messages from the server to a child, and back. What is to be aborted comes by a pipe: control-thread.ts. */
export interface ToChild {
  /** Of this child's work, from 1. */
  number: number;
  work: ChildWork;
}

/** What a child does, one at a time. */
export type ChildWork =
  | { type: 'run'; request: EngineRequest; handle: string | null }
  | { type: 'check-template'; file: string }
  | { type: 'find-guests'; photos: GuestPhotos }
  | { type: 'check-identity'; made: GeneratedPicture }
  | { type: 'picture-task'; task: PictureTask }
  | { type: 'decode'; task: DecodingTask };

export type WorkOf<Type extends ChildWork['type']> = Extract<ChildWork, { type: Type }>;

/** What comes of it. */
export interface WorkResults {
  run: EngineResult;
  'check-template': TemplateCheck;
  'find-guests': PhotoPeople;
  'check-identity': IdentityCheck;
  'picture-task': PictureTaskResults[PictureTask['kind']];
  /** Of the task's kind. */
  decode: unknown;
}

export type FromChild =
  | { type: 'ready' }
  | { type: 'progress'; done: number }
  | { type: 'handle'; handle: string }
  | (ChildEnd & {
      /** The child's resident memory in bytes, now that the work is done. */
      memory: number;
    });

/** How the work of a child ended. */
export type ChildEnd =
  | { type: 'result'; result: WorkResults[keyof WorkResults] }
  | { type: 'error'; code: AppErrorCode; sentence: string; retryable: boolean; trace: string };
