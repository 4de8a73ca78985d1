import createFetchClient from 'openapi-fetch';
import { client as heyApiClient } from './hey-api/client.gen';
import * as heyApi from './hey-api/sdk.gen';
import * as orval from './orval';
import type { components, paths } from './schema';

// A picture by each generated client, and the error of a filter that there is none of.

type FaceSwap = components['schemas']['FaceSwapV6'];

const [url = '', key = '', photo = ''] = process.argv.slice(2);
const body: FaceSwap = { base64: photo, gender: 1, filter_id: 1, ratio: 'square', quality_mode: 'v6' };
const wrong: FaceSwap = { ...body, filter_id: 999_999 };

async function withOpenApiFetch() {
  const client = createFetchClient<paths>({ baseUrl: url, headers: { 'X-API-Key': key } });
  const run = await client.POST('/v6/run/face_swap', { body });
  const job = await client.POST('/v6/status/{job_id}', {
    params: { path: { job_id: run.data?.id ?? '' }, header: { Prefer: 'wait=20' } },
  });
  const { error } = await client.POST('/v6/run/face_swap', { body: wrong });
  return [run.data?.status, job.data?.status, job.data?.output.images?.[0], error?.error_code];
}

async function withHeyApi() {
  // Where to send the key is in the security schemes of the document.
  heyApiClient.setConfig({ baseUrl: url, auth: () => key });
  const run = await heyApi.runFaceSwapV6({ body });
  const job = await heyApi.readStatusV6({
    path: { job_id: run.data?.id ?? '' },
    headers: { Prefer: 'wait=20' },
  });
  const { error } = await heyApi.runFaceSwapV6({ body: wrong });
  return [run.data?.status, job.data?.status, job.data?.output.images?.[0], error?.error_code];
}

async function withOrval() {
  const headers = { Authorization: `Bearer ${key}` };
  const run = await orval.runFaceSwapV6(body, { headers });
  if (run.status !== 200) throw new Error(run.data.error);
  const job = await orval.readStatusV6(run.data.id, { headers: { ...headers, Prefer: 'wait=20' } });
  if (job.status !== 200) throw new Error(job.data.error);
  const refused = await orval.runFaceSwapV6(wrong, { headers });
  const code = refused.status === 200 ? undefined : refused.data.error_code;
  return [run.data.status, job.data.status, job.data.output.images?.[0], code];
}

const made = {
  'openapi-fetch': await withOpenApiFetch(),
  '@hey-api/openapi-ts': await withHeyApi(),
  orval: await withOrval(),
};
console.log(JSON.stringify(made));
