import type { Submitted } from '@guise/contract/jobs.ts';
import { accountApi } from './account-api.ts';
import { aliasesApi } from './aliases-api.ts';
import { catalogsApi } from './catalogs-api.ts';
import { type ChangeListener, followChanges } from './changes.ts';
import { customFiltersApi } from './custom-filters-api.ts';
import { filterDraftsApi } from './filter-drafts-api.ts';
import { jobsApi } from './jobs-api.ts';
import { keysApi } from './keys-api.ts';
import { operatorApi } from './operator-api.ts';
import { photoSetsApi } from './photo-sets-api.ts';
import { qaRunsApi } from './qa-runs-api.ts';
import { quickTestLinksApi } from './quick-test-links-api.ts';
import type { FamilyInputs, RunFamily } from './runs/family-inputs.ts';
import type { JobResult } from './runs/job-result.ts';
import type { PhotoOptions } from './runs/photo-input.ts';
import {
  type AnyFamily,
  type RunOptions,
  type RunParts,
  readResult,
  runJob,
  type SubmitOptions,
  type SubmittedJob,
  submitBody,
  submitJob,
} from './runs/run-jobs.ts';
import { type JobReference, readStatus, type StatusOf, type WaitOptions } from './runs/wait-for-job.ts';
import { serverApi } from './server-api.ts';
import { sessionsApi } from './sessions-api.ts';
import { Transport, type TransportOptions } from './transport.ts';
import { usageApi } from './usage-api.ts';
import { webhooksApi } from './webhooks-api.ts';

/** In a page that Guise serves, links are read relative to it. */
const pageAddress = () => (globalThis as { location?: { href: string } }).location?.href;

/** Where the server is, who calls, and what is done with photos before they are sent. */
export interface GuiseOptions extends TransportOptions, PhotoOptions {}

/** A Guise server, seen by an account. */
export class Guise {
  readonly transport: Transport;
  readonly account;
  readonly aliases;
  readonly catalogs;
  readonly customFilters;
  readonly filterDrafts;
  readonly jobs;
  readonly keys;
  readonly operator;
  readonly photoSets;
  readonly qaRuns;
  readonly quickTestLinks;
  readonly server;
  readonly sessions;
  readonly usage;
  readonly webhooks;
  readonly #parts: RunParts;

  constructor(options: GuiseOptions) {
    this.transport = new Transport(options);
    this.#parts = { transport: this.transport, photos: options };
    this.account = accountApi(this.transport);
    this.aliases = aliasesApi(this.transport);
    this.catalogs = catalogsApi(this.transport);
    this.customFilters = customFiltersApi(this.transport);
    this.filterDrafts = filterDraftsApi(this.transport);
    this.jobs = jobsApi(this.transport);
    this.keys = keysApi(this.transport);
    this.operator = operatorApi(this.transport);
    this.photoSets = photoSetsApi(this.transport);
    this.qaRuns = qaRunsApi(this.transport);
    this.quickTestLinks = quickTestLinksApi(this.transport);
    this.server = serverApi(this.transport);
    this.sessions = sessionsApi(this.transport);
    this.usage = usageApi(this.transport);
    this.webhooks = webhooksApi(this.transport);
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

  /** Submits a job whose body is as the interface names it; images are base64, data URIs or URLs. */
  submitBody(family: AnyFamily, body: object, options?: SubmitOptions): Promise<Submitted> {
    return submitBody(this.transport, family, body, options);
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

  /** A file by a link of the server, such as a sample or a result. */
  async readFile(url: string, signal?: AbortSignal): Promise<Blob> {
    const { pathname, search } = new URL(url, this.transport.baseUrl || pageAddress());
    return (await this.transport.open(pathname + search, { signal })).blob();
  }

  /** Follows the changes of the account until the returned function is called. */
  followChanges(listener: ChangeListener): () => void {
    return followChanges(this.transport, listener);
  }
}
