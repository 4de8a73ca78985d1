import { type Family, families, type OutputKind } from '@guise/contract/families/families.ts';
import { photoFields } from '@guise/contract/families/run-fields.ts';
import { ImageJob, LivingPortraitJob, Submitted, VideoJob } from '@guise/contract/jobs.ts';
import type { LongString } from '../bodies/json-scanner.ts';
import { imageBodyBytes, json, none, ok, type Route } from '../route.ts';
import { sendJobStatus } from './job-status.ts';
import { prepareRun } from './prepare-run.ts';
import { submitRun } from './submit-run.ts';

/** Every family's run endpoint, and every status path that families share. */
export const runRoutes: Route[] = families.map((family) => ({
  ...json,
  method: 'POST',
  path: family.run,
  operation: `run${inPascalCase(family.name)}`,
  scopes: ['run'],
  tag: 'Runs',
  summary: family.title,
  body: family.schema,
  maxBody: family.maxImages * imageBodyBytes + 64 * 1024,
  longString: longStringOf(family),
  startsJob: true,
  prepareBody: (request) => prepareRun(family, request),
  counted: 'runs',
  success: ok(Submitted),
  handle: (parts, request, reply) => submitRun(parts, family, request, reply),
}));

/** Images are in fields of the body, or in lists there, and a video is in one. No other text of a run may be long. */
function longStringOf(family: Family): (path: readonly string[]) => LongString {
  const fields = new Set<string>([...photoFields, ...family.images.flat()]);
  return ([field = '', list = '*', ...deeper]) => {
    if (deeper.length > 0 || list !== '*') return 'start';
    if (family.takesVideo && field === 'video') return 'video';
    return fields.has(field) ? 'image' : 'start';
  };
}

/** `face_swap_v6` is `FaceSwapV6`. */
function inPascalCase(name: string): string {
  return name.replaceAll(/(?:^|[_/])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `/v5/status_multi_swap/{job_id}` is `readStatusMultiSwapV5`. */
function statusOperationOf(path: string): string {
  const [, version, rest] = /^\/v(\d+)\/(.+)\/\{job_id\}$/.exec(path)!;
  return `read${inPascalCase(rest!)}V${version}`;
}

const jobShapes = {
  image: ImageJob,
  video: VideoJob,
  loop: LivingPortraitJob,
} as const satisfies Record<OutputKind, unknown>;

const waiting = '; waits for the end of the job, for as long as `Prefer: wait=N` or the server says';

export const statusRoutes: Route[] = [...Map.groupBy(families, (family) => family.status)].map(
  ([path, sharing]) => {
    const waits = sharing.some((family) => family.statusWaits);
    return {
      ...none,
      method: 'POST',
      path,
      operation: statusOperationOf(path),
      scopes: ['run', 'read'],
      tag: 'Status',
      summary: `Status of ${sharing.map((family) => family.title).join('; ')}${waits ? waiting : ''}`,
      success: ok(jobShapes[sharing[0]!.output]),
      handle: (parts, request, reply) => sendJobStatus(parts, { path, waits }, request, reply),
    };
  },
);
