import type { AppErrorCode } from '../../errors.ts';
import type { AbortReason } from '../abort.ts';
import type { EngineRequest, EngineResult } from '../engine.ts';

/** Messages from the server to a child, and back. */
export type ToChild =
  | { type: 'run'; request: EngineRequest; handle: string | null }
  | { type: 'abort'; reason: AbortReason };
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
  | { type: 'result'; result: EngineResult }
  | { type: 'error'; code: AppErrorCode; sentence: string; retryable: boolean; trace: string };
