import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '../../packages/server/test/support/harness.ts';
import { caseOfJob, type openClientLog } from './books.ts';

const submitters = 4;

export interface Submissions {
  /** How many jobs need no more sending, whatever came of them. */
  settled(): number;
  /** Sends all of them. */
  send(): Promise<void>;
}

/** Clients who submit jobs to servers that are killed meanwhile, and write down what they were told. */
export function submissions(
  jobs: number,
  parts: {
    log: ReturnType<typeof openClientLog>;
    headers: Record<string, string>;
    /** Where a server listens now. */
    url(): Promise<string>;
  },
): Submissions {
  const { log } = parts;
  let sent = 0;
  let settled = 0;

  const submit = async (n: number) => {
    // Odd jobs have a key and are sent until they are answered; even ones are sent once.
    const key = n % 2 === 1 ? `job-${n}` : null;
    log.write({ n, key, event: 'sent' });
    for (;;) {
      const url = await parts.url().catch(() => null);
      const answer = url && (await tryToSubmit(url, n, parts.headers, key));
      if (answer && answer !== 'in doubt') {
        const { id } = answer.body;
        log.write(
          answer.status === 200 ? { n, key, event: 'acknowledged', id } : { n, key, event: 'refused' },
        );
        return;
      }
      if (answer === 'in doubt' && key === null) return;
      await sleep(10);
    }
  };
  const one = async () => {
    while (sent < jobs) {
      await submit(sent++);
      settled++;
    }
  };
  return {
    settled: () => settled,
    async send() {
      await Promise.all(Array.from({ length: submitters }, one));
    },
  };
}

/** Null when the job was certainly not made and may be sent again. */
async function tryToSubmit(url: string, n: number, headers: Record<string, string>, key: string | null) {
  const { run, body } = caseOfJob(n);
  try {
    const answer = await request(url, 'POST', run, body, {
      ...headers,
      ...(key && { 'idempotency-key': key }),
    });
    // The database may have gone away before or after it wrote the job.
    return answer.status >= 500 ? ('in doubt' as const) : answer;
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return code === 'ECONNREFUSED' ? null : ('in doubt' as const);
  }
}
