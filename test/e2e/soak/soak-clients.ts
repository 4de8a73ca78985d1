import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '../../../packages/server/test/support/harness.ts';

/** Ordinary clients, who keep books of what they were told. */

const portrait = readFileSync(new URL('../../../catalog/samples/astronaut.jpg', import.meta.url)).toString(
  'base64',
);

interface Wanted {
  run: string;
  status: string;
  body: object;
}

const faceSwap = { run: '/v6/run/face_swap', status: '/v6/status/' };
/** All kinds of work, the quick ones more often. */
const kinds: readonly Wanted[] = [
  { ...faceSwap, body: { base64: portrait, gender: 1, filter_id: 1, quality_mode: 'v6' } },
  { run: '/v2/run/self-prompt', status: '/v2/status/', body: { prompt: 'a lake at dusk' } },
  {
    run: '/v1/run/stylized_multi_swap',
    status: '/v1/status_stylized_multi_swap/',
    body: { input_image: portrait, style_id: 9 },
  },
  { run: '/v2/run/self-prompt', status: '/v2/status/', body: { prompt: 'on a beach', image: portrait } },
  { ...faceSwap, body: { base64: portrait, gender: 1, filter_id: 12, quality_mode: 'v6' } },
  {
    run: '/v5/run/multi_swap',
    status: '/v5/status_multi_swap/',
    body: { input_image: portrait, style_id: 3, outpaint: false },
  },
  {
    run: '/v1/run/single_frame_video',
    status: '/v1/status/single_frame_video/',
    body: { prompt_image: portrait, prompt: 'slow zoom', model: 'simple', duration: '4s' },
  },
];

export interface AcceptedJob {
  id: string;
  status: string;
}

export interface SoakClients {
  /** Every job that was acknowledged, by the key it was sent with. */
  readonly accepted: ReadonlyMap<string, AcceptedJob>;
  /** Answers that no client should get. */
  readonly surprises: string[];
  stop(): Promise<void>;
}

/** So many clients, each with one job at a time, which it sends with an `Idempotency-Key` until it is answered. */
export function startSoakClients(
  count: number,
  url: () => Promise<string>,
  headers: Record<string, string>,
): SoakClients {
  const accepted = new Map<string, AcceptedJob>();
  const surprises: string[] = [];
  let stopping = false;
  let sent = 0;

  const call = async (path: string, body?: object, extra: Record<string, string> = {}) => {
    try {
      return await request(await url(), 'POST', path, body, { ...headers, ...extra });
    } catch {
      // The server is gone for a moment.
      return null;
    }
  };
  const submit = async (n: number): Promise<AcceptedJob | null> => {
    const key = `soak-${n}`;
    const { run, status, body } = kinds[n % kinds.length]!;
    for (;;) {
      const answer = await call(run, body, { 'idempotency-key': key });
      if (answer?.status === 200) {
        const known = accepted.get(key);
        if (known && known.id !== answer.body.id) surprises.push(`${key} has two jobs`);
        accepted.set(key, { id: answer.body.id, status });
        return accepted.get(key)!;
      }
      // Beyond a limit, without room or without storage, it says when to come back.
      const comesBack = answer === null || answer.headers.get('retry-after') !== null;
      if (!comesBack) surprises.push(`${run} answered ${answer.status} ${JSON.stringify(answer.body)}`);
      if (stopping && answer !== null) return null;
      await sleep(250);
    }
  };
  const one = async () => {
    while (!stopping) {
      const job = await submit(sent++);
      for (let ended = job === null; !ended && !stopping; ) {
        const answer = await call(job!.status + job!.id, undefined, { prefer: 'wait=10' });
        ended = ['COMPLETED', 'FAILED'].includes(answer?.body.status);
        if (answer === null || answer.status >= 500) await sleep(100);
        else if (answer.status !== 200) {
          surprises.push(`${job!.id} answered ${answer.status} ${JSON.stringify(answer.body)}`);
          break;
        }
      }
    }
  };
  const all = Array.from({ length: count }, one);
  return {
    accepted,
    surprises,
    async stop() {
      stopping = true;
      await Promise.all(all);
    },
  };
}

/** What is wrong with the answer to a job that was acknowledged. */
export async function brokenJobs(
  jobs: Iterable<AcceptedJob>,
  url: string,
  headers: Record<string, string>,
): Promise<string[]> {
  const broken: string[] = [];
  for (const { id, status } of jobs) {
    let answer = await request(url, 'POST', status + id, undefined, { ...headers, prefer: 'wait=60' });
    for (let tries = 0; tries < 10 && !['COMPLETED', 'FAILED'].includes(answer.body.status); tries++) {
      answer = await request(url, 'POST', status + id, undefined, { ...headers, prefer: 'wait=60' });
    }
    const { status: word, output, error } = answer.body;
    if (word === 'FAILED' && !(error ?? output?.video_error)) broken.push(`${id} failed without a reason`);
    else if (word === 'COMPLETED' && !output.images?.[0]?.startsWith('iVBORw0') && !output.video_url)
      broken.push(`${id} has no picture`);
    else if (word !== 'COMPLETED' && word !== 'FAILED')
      broken.push(`${id} is lost: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return broken;
}
