/**
 * What goes wrong inside a workflow on somebody else's server, told apart by the words of ComfyUI, of its nodes and of
 * RunPod's worker. The first row that matches decides. The words themselves never reach a guest.
 */
export interface FailurePattern {
  /** In the log, in the metrics and on the operator's pages. */
  name: string;
  pattern: RegExp;
  /** Whose it is. `ours` is something that was sent from here. */
  source: 'photo' | 'workflow' | 'server' | 'ours';
  /** Whether the job is worth another try, there or elsewhere, seconds later. */
  retry: boolean;
  /** Whether another server may make what this one could not. */
  otherServer: boolean;
  /** What gets less work when it happens again and again: the server, only this workflow on it, or neither. */
  rest: 'server' | 'workflow' | null;
  /** Whether the engine that stands in may make it. */
  fallback: boolean;
  /** For the guest in front of the camera. */
  sentence: string;
  /** For the operator. */
  cause: string;
}

const gpuFailed = 'The GPU could not finish this job.';
const doesNotRun = 'The workflow of this filter does not run on the GPU servers of this installation.';

const ofThePhoto = {
  source: 'photo',
  retry: false,
  otherServer: false,
  rest: null,
  fallback: false,
} as const;
const ofTheServer = {
  source: 'server',
  retry: true,
  otherServer: true,
  rest: 'server',
  fallback: true,
} as const;

export const failurePatterns: readonly FailurePattern[] = [
  {
    ...ofThePhoto,
    name: 'no face',
    pattern:
      /no faces?\b|faces? (?:was |were )?not (?:found|detected)|(?:could|did) not (?:find|detect) (?:a |any )?face/i,
    sentence: 'No face was found in the photo. Face the camera and try again.',
    cause: 'the workflow found no face in the photo',
  },
  {
    ...ofThePhoto,
    name: 'face too small',
    pattern: /\bface\b[^.]{0,40}too small|too small[^.]{0,20}\bface\b/i,
    sentence: 'The face in the photo is too small. Come closer and try again.',
    cause: 'the workflow found the face too small',
  },
  {
    ...ofTheServer,
    name: 'out of memory',
    pattern: /out ?of ?memory|allocation on device|cublas_status_alloc_failed|can'?t allocate memory/i,
    // One workflow that is too large for a card says nothing of the others on it.
    rest: 'workflow',
    sentence: gpuFailed,
    cause: 'the workflow needs more memory than the GPU has free',
  },
  {
    ...ofTheServer,
    name: 'disk full',
    pattern: /no space left|errno 28|disk quota/i,
    sentence: gpuFailed,
    cause: 'the disk of the GPU server is full',
  },
  {
    ...ofTheServer,
    name: 'refused workflow',
    pattern:
      /workflow validation failed|failed validation|value_not_in_list|value not in list|invalid_prompt|required_input_missing|\bnode\b.{0,80}does not exist/i,
    source: 'workflow',
    retry: false,
    rest: null,
    sentence: doesNotRun,
    cause: 'the server lacks a node, an input or a file that the workflow names',
  },
  {
    ...ofTheServer,
    name: 'photo not received',
    pattern: /invalid image file|failed to upload|cannot identify image file .*guise/i,
    source: 'ours',
    rest: null,
    sentence: 'The photo did not reach the GPU server.',
    cause: 'the server has not got the photo, or not all of it',
  },
  {
    ...ofTheServer,
    name: 'weights unusable',
    pattern:
      /header ?too ?(?:small|large)|incompletemetadata|invalidheader|safetensor|invalid load key|pytorchstreamreader|unexpected eof|(?:model|checkpoint|lora|vae)[^.]{0,80}not found|filenotfounderror|no such file/i,
    // A broken file does not mend itself within seconds.
    retry: false,
    sentence: gpuFailed,
    cause: 'a file of weights is missing or broken on the server',
  },
  {
    ...ofTheServer,
    name: 'GPU fault',
    pattern: /cuda|cudnn|cublas|nccl|hip error|device-side|illegal memory access|driver/i,
    sentence: gpuFailed,
    cause: 'the GPU or its driver failed',
  },
  {
    ...ofTheServer,
    name: 'server unreachable',
    pattern:
      /not reachable|unreachable|connection (?:refused|reset|aborted|closed)|websocket|http communication error|max retries exceeded|timed? ?out/i,
    sentence: 'The GPU server did not answer as it should.',
    cause: 'ComfyUI did not answer',
  },
];

/** What a guest reads of an unknown failure of a workflow that made the job before. */
export const failedOnPhoto = 'The workflow of this filter failed on this photo. Try another photo.';

/** What no row knows: the photo's, the workflow's or the server's. Another server, or the job before, tells which. */
export const unknownFailure: FailurePattern = {
  name: 'unknown',
  pattern: /(?:)/,
  source: 'workflow',
  retry: false,
  otherServer: true,
  rest: 'server',
  fallback: true,
  sentence: 'The workflow of this filter failed. Choose another filter.',
  cause: 'a node raised an error that Guise does not know',
};

export function patternOf(said: string): FailurePattern {
  return failurePatterns.find(({ pattern }) => pattern.test(said)) ?? unknownFailure;
}
