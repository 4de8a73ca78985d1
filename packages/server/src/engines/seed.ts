import { createHash } from 'node:crypto';
import type { EngineRequest } from './engine.ts';

/** Another picture for every job and for its second take, the same one when a process makes it again. */
export function seedOf({ jobId, isSecondTake }: Pick<EngineRequest, 'jobId' | 'isSecondTake'>): number {
  const text = isSecondTake ? `${jobId} second take` : jobId;
  return createHash('sha256').update(text).digest().readUInt32LE(0);
}
