/** Everything that programs use of the client. Inside of this repository, the files themselves are imported. */
export type { ChangeListener, ConnectionState } from './changes.ts';
export { Guise, type GuiseOptions } from './guise.ts';
export type { GuiseApi } from './guise-api.ts';
export { GuiseError, type GuiseErrorCode } from './guise-error.ts';
export { createKeyProxy, type KeyProxyOptions } from './key-proxy.ts';
export { type NodeRequest, type NodeResponse, toNodeHandler } from './node-handler.ts';
export { type QuickTestGuestApi, quickTestGuestApi } from './quick-test-guest-api.ts';
export type { ResizePhoto } from './runs/downscale-photo.ts';
export type {
  FaceSwapInput,
  FaceSwapV1Input,
  FaceSwapV5Input,
  FamilyInputs,
  FilterInput,
  FirstLastFrameVideoInput,
  Gender,
  LivingPortraitInput,
  MultiSwapInput,
  MultiSwapSelfPromptInput,
  MultiSwapV4Input,
  RunFamily,
  SelfPromptInput,
  SingleFrameVideoInput,
} from './runs/family-inputs.ts';
export type { JobEvent, JobProgress } from './runs/job-events.ts';
export type { JobResult } from './runs/job-result.ts';
export type { PhotoInput, PhotoOptions } from './runs/photo-input.ts';
export type { RunOptions, SubmittedJob } from './runs/run-jobs.ts';
export type { AnyFamily, SubmitOptions } from './runs/submit-body.ts';
export type { JobReference, StatusOf, WaitOptions } from './runs/wait-for-job.ts';
export type { ReadyServer } from './server-api.ts';
export type { RequestOptions, Tagged, Transport, TransportOptions } from './transport.ts';
export {
  verifyWebhook,
  type WebhookMessage,
  WebhookNotVerified,
  type WebhookRequest,
} from './verify-webhook.ts';
