import type { AppError } from '../errors.ts';
import { cannotMake, engineBroke } from './engine.ts';

/** Our own sentence for what went wrong inside a workflow. The upstream's text only chooses it: it may hold paths and prompts. */
export function workflowFailed(said: string, cause: Error): AppError {
  if (/no face/i.test(said))
    return cannotMake('No face was found in the photo. Face the camera and try again.', cause);
  if (/out ?of ?memory|cuda|device-side/i.test(said))
    return engineBroke('The GPU could not finish this job.', cause);
  return cannotMake('The workflow of this filter failed on this photo.', cause);
}
