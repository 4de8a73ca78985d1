import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A server of any checkout of this repository, spoken to over HTTP: what is inside may differ between versions. */
export interface CheckoutServer {
  url: string;
  /** Of the demo account. */
  key: string;
  /** Of npm, which has started the server. */
  pid: number;
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<unknown>;
  stop(): Promise<void>;
}

export interface JobStatus {
  id: string;
  status: string;
  error?: string;
  output: { images?: string[]; video_url?: string; video_error?: string };
}

/**
 * Runs `npm start` with one job at a time, behind a command that it is to be started by. Only the first start on a data
 * folder prints a key: hand it in later.
 */
export async function startCheckout(
  checkout: string,
  dataDir: string,
  options: { key?: string; env?: NodeJS.ProcessEnv; startedBy?: readonly string[] } = {},
): Promise<CheckoutServer> {
  const [program, ...words] = [...(options.startedBy ?? []), 'npm', 'start', '--silent'];
  const child = spawn(program!, words, {
    cwd: checkout,
    env: {
      ...process.env,
      PORT: '0',
      GUISE_DATA_DIR: dataDir,
      GUISE_CONCURRENCY: '1',
      GUISE_LOG_LEVEL: 'error',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    const url = /listening on (\S+)/.exec(printed)?.[1];
    const key = options.key ?? /\bgk_\w+/.exec(printed)?.[0];
    if (!url || !key) continue;
    child.stdout.resume();
    return {
      url,
      key,
      pid: child.pid!,
      call: (method, path, body, headers) => callServer(url + path, key, { method, body, headers }),
      async stop() {
        const closed = once(child, 'close');
        // npm passes no signal on to the server: the whole group gets it.
        process.kill(-child.pid!, 'SIGTERM');
        await closed;
      },
    };
  }
  throw new Error(`The server of ${checkout} printed no address and key:\n${printed}`);
}

/** Submits a job and waits for its end. */
export async function runJob(
  server: CheckoutServer,
  { run, status, body }: { run: string; status: string; body: object },
): Promise<JobStatus> {
  let job = (await server.call('POST', run, body)) as JobStatus;
  while (job.status !== 'COMPLETED' && job.status !== 'FAILED') {
    job = (await server.call('POST', status + job.id, undefined, { prefer: 'wait=60' })) as JobStatus;
  }
  return job;
}

export async function createFilter(server: CheckoutServer, type: string, definition: object) {
  const body = { name: 'Sample', filter_type: type, definition };
  return ((await server.call('POST', '/v1/users/me/my-custom-filters', body)) as { id: string }).id;
}

async function callServer(
  url: string,
  key: string,
  {
    method,
    body,
    headers,
  }: { method: string; body: object | undefined; headers: Record<string, string> | undefined },
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}
