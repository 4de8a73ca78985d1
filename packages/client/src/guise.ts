import { GuiseApi } from './guise-api.ts';
import type { FamilyInputs, RunFamily } from './runs/family-inputs.ts';
import type { JobResult } from './runs/job-result.ts';
import type { PhotoOptions } from './runs/photo-input.ts';
import {
  type RunOptions,
  type RunParts,
  readResult,
  runJob,
  type SubmittedJob,
  submitJob,
} from './runs/run-jobs.ts';
import type { SubmitOptions } from './runs/submit-body.ts';
import { type JobReference, readStatus, type StatusOf, type WaitOptions } from './runs/wait-for-job.ts';
import type { TransportOptions } from './transport.ts';

/** Where the server is, who calls, and what is done with photos before they are sent. */
export interface GuiseOptions extends TransportOptions, PhotoOptions {}

/** A Guise server, seen by an account. */
export class Guise extends GuiseApi {
  readonly #parts: RunParts;

  constructor(options: GuiseOptions) {
    super(options);
    this.#parts = { transport: this.transport, photos: options };
  }

  /** A guest in a filter, with the newest face swap. */
  faceSwap(input: FamilyInputs['face_swap_v6'], options?: RunOptions): Promise<JobResult> {
    return this.run('face_swap_v6', input, options);
  }

  /** The face swap before the newest one. */
  faceSwapV5(input: FamilyInputs['face_swap_v5'], options?: RunOptions): Promise<JobResult> {
    return this.run('face_swap_v5', input, options);
  }

  /** The first face swap, which tells the gender from the photo. */
  faceSwapV1(input: FamilyInputs['face_swap_v1'], options?: RunOptions): Promise<JobResult> {
    return this.run('face_swap_v1', input, options);
  }

  /** What a prompt describes, with a guest or without. */
  selfPrompt(input: FamilyInputs['self_prompt_v2'], options?: RunOptions): Promise<JobResult> {
    return this.run('self_prompt_v2', input, options);
  }

  /** Everybody in a group photo, in a realistic style. */
  multiSwap(input: FamilyInputs['multi_swap_v5'], options?: RunOptions): Promise<JobResult> {
    return this.run('multi_swap_v5', input, options);
  }

  /** Everybody in one to five photos, in what a prompt describes. */
  multiSwapSelfPrompt(
    input: FamilyInputs['multi_swap_self_prompt_v5'],
    options?: RunOptions,
  ): Promise<JobResult> {
    return this.run('multi_swap_self_prompt_v5', input, options);
  }

  /** Everybody in a group photo, painted in an art style. */
  stylizedMultiSwap(input: FamilyInputs['stylized_multi_swap_v1'], options?: RunOptions): Promise<JobResult> {
    return this.run('stylized_multi_swap_v1', input, options);
  }

  /** Everybody in one to five photos, painted as a prompt describes. */
  stylizedMultiSwapSelfPrompt(
    input: FamilyInputs['stylized_multi_swap_self_prompt_v1'],
    options?: RunOptions,
  ): Promise<JobResult> {
    return this.run('stylized_multi_swap_self_prompt_v1', input, options);
  }

  /** The people of one to five photos in one picture. */
  multiSwapV4(input: FamilyInputs['multi_swap_v4'], options?: RunOptions): Promise<JobResult> {
    return this.run('multi_swap_v4', input, options);
  }

  /** A video that begins with a photo. */
  singleFrameVideo(input: FamilyInputs['single_frame_video'], options?: RunOptions): Promise<JobResult> {
    return this.run('single_frame_video', input, options);
  }

  /** A video from a first to a last photo. */
  firstLastFrameVideo(
    input: FamilyInputs['first_last_frame_video'],
    options?: RunOptions,
  ): Promise<JobResult> {
    return this.run('first_last_frame_video', input, options);
  }

  /** A loop of people moving in a scene, made of a burst of photos. */
  livingPortrait(input: FamilyInputs['living_portrait'], options?: RunOptions): Promise<JobResult> {
    return this.run('living_portrait', input, options);
  }

  /** Submits a job, waits for it and gives its result. When the signal aborts, the job is cancelled. */
  run<F extends RunFamily>(family: F, input: FamilyInputs[F], options?: RunOptions): Promise<JobResult> {
    return runJob(this.#parts, family, input, options);
  }

  /** Submits a job and does not wait. */
  submit<F extends RunFamily>(
    family: F,
    input: FamilyInputs[F],
    options?: SubmitOptions,
  ): Promise<SubmittedJob<F>> {
    return submitJob(this.#parts, family, input, options);
  }

  /** The state of a job, as its status path answers it. `waitSeconds` (at most 60) waits for its end so long. */
  status<F extends RunFamily>(
    job: JobReference<F>,
    options?: { waitSeconds?: number | undefined; signal?: AbortSignal | undefined },
  ): Promise<StatusOf<F>> {
    return readStatus(this.transport, job, options);
  }

  /** Waits until a job has ended and gives its result. When the signal aborts, the job goes on. */
  result(job: JobReference, options?: WaitOptions): Promise<JobResult> {
    return readResult(this.#parts, job, options);
  }

  /** Ends a job. Its credits come back, and whoever waits for it is told that it failed. */
  async cancel(job: { id: string }, signal?: AbortSignal): Promise<void> {
    await this.jobs.cancel(job.id, signal);
  }
}
