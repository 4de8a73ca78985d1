import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** `guise start` in a process of its own, spoken to over HTTP. */
export interface GuiseServer {
  submit(filter: number): Promise<string>;
  status(id: string): Promise<JobStatus>;
  /** Waits for the job's end. */
  ended(id: string): Promise<JobStatus>;
  cancel(id: string): Promise<void>;
  /** What an operator sees of why a job failed. */
  cause(id: string): Promise<string>;
  credits(): Promise<number>;
  /** Ends the process at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface JobStatus {
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  progress: number;
  error?: string;
  output: { images?: string[] };
}

const main = join(import.meta.dirname, '../../packages/server/src/cli/main.ts');

export async function startGuise(dataDir: string, enginesFile: string, photo: Buffer): Promise<GuiseServer> {
  const env = {
    ...process.env,
    PORT: '0',
    GUISE_DATA_DIR: dataDir,
    GUISE_ENGINES: enginesFile,
    GUISE_LOG_LEVEL: 'silent',
    GUISE_C2PA: 'false',
    // The status is polled for its progress.
    GUISE_STATUS_WAIT_SECONDS: '0',
  };
  const start = () =>
    listening(spawn(process.execPath, [main, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] }));
  let server = await start();
  const { key } = server;
  if (!key) throw new Error(`${dataDir} is not a fresh folder: Guise printed no key.`);

  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(server.url + path, {
      method,
      headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  };
  const status = (id: string) => call<JobStatus>('POST', `/v6/status/${id}`);
  const end = async (signal: NodeJS.Signals) => {
    const closed = once(server.child, 'close');
    server.child.kill(signal);
    await closed;
  };

  return {
    async submit(filter_id) {
      const body = { filter_id, gender: 4, base64: photo.toString('base64') };
      return (await call<{ id: string }>('POST', '/v6/run/face_swap', body)).id;
    },
    status,
    async ended(id) {
      for (;;) {
        const job = await status(id);
        if (job.status === 'COMPLETED' || job.status === 'FAILED') return job;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    cancel: (id) => call('POST', `/v1/jobs/${id}/cancel`),
    cause: async (id) => (await call<{ cause?: string }>('GET', `/v1/jobs/${id}`)).cause ?? '',
    credits: async () => (await call<{ balance: number }>('GET', '/v1/users/me/credits')).balance,
    kill: () => end('SIGKILL'),
    async restart() {
      server = await start();
    },
    stop: () => end('SIGTERM'),
  };
}

/** Where the process listens, and the key that it prints on the first start. */
async function listening(child: ChildProcess) {
  let printed = '';
  const { promise, resolve, reject } = Promise.withResolvers<{ url: string; key: string | undefined }>();
  child.stdout!.on('data', (chunk) => {
    printed += chunk;
    const url = /listening on (\S+)\s/.exec(printed)?.[1];
    const key = /\bgk_\w+(?=\s)/.exec(printed)?.[0];
    // It is all one text: where there is a link to the studio, the key comes after it.
    if (url && (key || !printed.includes('the studio with this link'))) resolve({ url, key });
  });
  child.once('close', () => reject(new Error(`Guise did not start:\n${printed}`)));
  return { child, ...(await promise) };
}
