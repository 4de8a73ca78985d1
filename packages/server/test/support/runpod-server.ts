import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import type { Graph } from './comfyui-nodes.ts';

export interface RunpodFaults {
  /** Answers 429 so many times, with this `Retry-After` if it is set. */
  tooMany: number;
  retryAfterSeconds: number | null;
  /** Ends FAILED with `error` as the handler returned it, or as the JSON string of what it raised. */
  fail: 'returned' | 'raised' | null;
  /**
   * Ends FAILED as worker-comfyui 5.8.5 does: of the handler's `{"error": "Job processing failed", "details": [...]}`
   * RunPod makes `error` and leaves `details` in `output`.
   */
  details: string[] | null;
  status: 'TIMED_OUT' | 'CANCELLED' | null;
  /** So many statuses after the end still say IN_PROGRESS: a late progress update masks the end. */
  mask: number;
  /** The job is not known any more. */
  expired: boolean;
  /** So many jobs are accepted and then not known any more. */
  forget: number;
  noImages: boolean;
  output: Buffer | null;
  base64: string | null;
  /** Bodies that are no JSON, on paths that hold this word. */
  garbage: string | null;
  broken: string | null;
  /** The job never ends: its result was too large to be sent. */
  never: boolean;
  /** A result link that leads elsewhere. */
  link: string | null;
  loseCancels: number;
}

const noFaults: RunpodFaults = {
  tooMany: 0,
  retryAfterSeconds: null,
  fail: null,
  details: null,
  status: null,
  mask: 0,
  expired: false,
  forget: 0,
  noImages: false,
  output: null,
  base64: null,
  garbage: null,
  broken: null,
  never: false,
  link: null,
  loseCancels: 0,
};

export interface RunpodServer {
  endpoint: string;
  key: string;
  faults: RunpodFaults;
  submitted: string[];
  cancelled: string[];
  inputs: { workflow: Graph; images: { name: string; image: string }[] }[];
  policies: unknown[];
  requests: { method: string; path: string; at: number }[];
  behave(): void;
  stop(): Promise<void>;
}

interface Job {
  id: string;
  began: number;
  state: string | null;
  result: { filename: string; bytes: Buffer };
}

/** A RunPod endpoint with the public ComfyUI worker behind it, as its documentation describes it. */
export async function runpodServer(
  options: { queueMs?: number; runMs?: number; results?: 'base64' | 's3_url'; video?: Buffer } = {},
): Promise<RunpodServer> {
  const { queueMs = 20, runMs = 60, results = 'base64' } = options;
  const jobs = new Map<string, Job>();
  let count = 0;

  const server: RunpodServer = {
    endpoint: '',
    key: 'rpa_FAKE_KEY_THAT_NEVER_LEAVES',
    faults: { ...noFaults },
    submitted: [],
    cancelled: [],
    inputs: [],
    policies: [],
    requests: [],
    behave() {
      server.faults = { ...noFaults };
    },
    async stop() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };

  async function run(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const body = await text(request);
    if (body.length > 10 * 1024 * 1024) return json(response, { error: 'body too large' }, 400);
    const { input, policy } = JSON.parse(body) as { input: RunpodServer['inputs'][number]; policy: unknown };
    const id = `job-${++count}-u1`;
    const save = Object.values(input.workflow).find((node) => node.inputs?.filename_prefix !== undefined);
    const sized = Object.values(input.workflow).find((node) => typeof node.inputs?.width === 'number');
    const width = Number(sized?.inputs?.width ?? 512);
    const height = Number(sized?.inputs?.height ?? 768);
    const photo = input.images[0] && Buffer.from(input.images[0].image.replace(/^data:[^,]*,/, ''), 'base64');
    const picture = photo
      ? sharp(photo).resize(width, height, { fit: 'cover' })
      : sharp({ create: { width, height, channels: 3, background: '#3060a0' } });
    const bytes = options.video ?? (await picture.png({ compressionLevel: 3 }).toBuffer());
    const prefix = String(save?.inputs?.filename_prefix ?? 'ComfyUI')
      .split('/')
      .at(-1);
    const filename = `${prefix}_00001_.${options.video ? 'mp4' : 'png'}`;
    server.submitted.push(id);
    server.inputs.push(input);
    server.policies.push(policy);
    if (server.faults.forget > 0) server.faults.forget--;
    else jobs.set(id, { id, began: Date.now(), state: null, result: { filename, bytes } });
    return json(response, { id, status: 'IN_QUEUE' });
  }

  function status(response: ServerResponse, id: string): unknown {
    const { faults } = server;
    const job = jobs.get(id);
    if (!job || faults.expired) return json(response, { error: 'job not found' }, 404);
    if (job.state) return json(response, { id, status: job.state });
    const age = Date.now() - job.began;
    if (age < queueMs) return json(response, { id, status: 'IN_QUEUE', delayTime: age });
    const part = (age - queueMs) / runMs;
    if (part < 1 || faults.never || faults.mask > 0) {
      if (part >= 1 && faults.mask > 0) faults.mask--;
      return json(response, {
        id,
        status: 'IN_PROGRESS',
        output: `Sampling ${Math.min(99, Math.round(part * 100))}%`,
      });
    }
    if (faults.status) return json(response, { id, status: faults.status });
    if (faults.details)
      return json(response, {
        id,
        status: 'FAILED',
        error: 'Job processing failed',
        output: { details: faults.details },
        delayTime: queueMs,
        executionTime: runMs,
        workerId: 'w1',
      });
    if (faults.fail) {
      const raised = {
        error_type: "<class 'RuntimeError'>",
        error_message: 'CUDA error at /workspace/secret/path.py',
        error_traceback: 'File "/workspace/secret/path.py"',
        worker_id: 'w1',
      };
      const error =
        faults.fail === 'raised' ? JSON.stringify(raised) : 'Workflow failed at /workspace/secret/path.py';
      return json(response, { id, status: 'FAILED', error });
    }
    if (faults.noImages)
      return json(response, { id, status: 'COMPLETED', output: { status: 'success_no_images', images: [] } });
    const bytes = faults.output ?? job.result.bytes;
    const link = faults.link ?? `${server.endpoint}/files/${id}`;
    const data = results === 's3_url' || faults.link ? link : (faults.base64 ?? bytes.toString('base64'));
    const type = results === 's3_url' || faults.link ? 's3_url' : 'base64';
    const preview = { filename: 'ComfyUI_temp_00001_.png', type: 'base64', data: 'AAAA' };
    const images = [preview, { filename: job.result.filename, type, data }];
    return json(response, { id, status: 'COMPLETED', executionTime: runMs, output: { images } });
  }

  function cancel(response: ServerResponse, id: string): unknown {
    const job = jobs.get(id);
    if (server.faults.loseCancels > 0) server.faults.loseCancels--;
    else if (job && !job.state) {
      job.state = 'CANCELLED';
      server.cancelled.push(id);
    }
    return json(response, { id, status: job?.state ?? 'IN_PROGRESS' });
  }

  const http = createServer((request, response) => {
    const path = new URL(request.url!, 'http://x').pathname.replace('/v2/abc', '');
    server.requests.push({ method: request.method!, path, at: Date.now() });
    const { faults } = server;
    const [, verb = '', id = ''] = path.split('/');
    if (verb === 'files') {
      response.writeHead(200).end(faults.output ?? jobs.get(id)?.result.bytes);
      return;
    }
    if (request.headers.authorization !== `Bearer ${server.key}`) return json(response, {}, 401);
    if (faults.tooMany > 0) {
      faults.tooMany--;
      if (faults.retryAfterSeconds !== null)
        response.setHeader('retry-after', String(faults.retryAfterSeconds));
      return json(response, { error: 'Too Many Requests' }, 429);
    }
    if (faults.broken && verb.includes(faults.broken)) {
      response.writeHead(502).end('bad gateway');
      return;
    }
    if (faults.garbage && verb.includes(faults.garbage)) {
      response.writeHead(200).end('<html>');
      return;
    }
    if (verb === 'run') return void run(request, response);
    if (verb === 'status') return status(response, id);
    if (verb === 'cancel') return cancel(response, id);
    if (verb === 'health') return json(response, { jobs: {}, workers: { idle: 1, running: 0 } });
    return json(response, {}, 404);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  server.endpoint = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v2/abc`;
  return server;
}

function json(response: ServerResponse, body: unknown, status = 200): unknown {
  return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
