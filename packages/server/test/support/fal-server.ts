import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import type { PlannedAnswer } from './openai-images-server.ts';

export interface FalServer {
  url: string;
  key: string;
  /** What each accepted request was given. */
  inputs: Record<string, unknown>[];
  headers: IncomingMessage['headers'][];
  /** What each accepted request asked to be called when it ends; null where it asked for nothing. */
  webhooks: (string | null)[];
  cancelled: string[];
  /** How often each kind of call came. */
  calls: { submit: number; status: number; result: number; file: number };
  /** Answers of the next calls of a kind, in place of the usual ones. */
  planned: {
    submit: PlannedAnswer[];
    status: PlannedAnswer[];
    result: PlannedAnswer[];
    file: PlannedAnswer[];
  };
  /** Requests stay in the queue, or at work, while this is set. */
  stuckAs: 'IN_QUEUE' | 'IN_PROGRESS' | null;
  /** A file in place of a picture of the size asked for. */
  output: Buffer | null;
  /** The key of the file in the result. */
  outputField: 'images' | 'video';
  stop(): Promise<void>;
}

/** The queue of fal, as its client library calls it: the answers have the paths of the model's first two parts alone. */
export async function falServer(): Promise<FalServer> {
  const requests = new Map<string, Record<string, unknown>>();
  const server: FalServer = {
    url: '',
    key: 'fal-FAKE-KEY-THAT-NEVER-LEAVES',
    inputs: [],
    headers: [],
    webhooks: [],
    cancelled: [],
    calls: { submit: 0, status: 0, result: 0, file: 0 },
    planned: { submit: [], status: [], result: [], file: [] },
    stuckAs: null,
    output: null,
    outputField: 'images',
    async stop() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  const http = createServer((request, response) => void handle(request, response));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, 'http://x');
    const [, app = '', id = '', last = ''] = /^\/(.+?)\/requests\/([^/]+)\/?(.*)$/.exec(pathname) ?? [];
    const kind = pathname.startsWith('/files/')
      ? 'file'
      : id === ''
        ? 'submit'
        : last === 'status'
          ? 'status'
          : 'result';
    if (last === 'cancel') {
      server.cancelled.push(id);
      return send(response, { status: 202, body: { status: 'CANCELLATION_REQUESTED' } });
    }
    const body = kind === 'submit' ? await text(request) : '';
    server.calls[kind]++;
    if (kind !== 'file' && request.headers.authorization !== `Key ${server.key}`)
      return send(response, { status: 401, body: { detail: 'Cannot access application' } });
    const planned = server.planned[kind].shift();
    if (planned === 'hang') return;
    if (planned === 'drop') return void request.socket.destroy();
    if (planned === 'garbage') return void response.end('<html>');
    if (planned) return send(response, planned);
    switch (kind) {
      case 'file':
        return void response.end(server.output ?? (await pictureOf(requests.get(pathname.slice(7)) ?? {})));
      case 'submit':
        server.webhooks.push(searchParams.get('fal_webhook'));
        return send(response, submit(pathname, body, request));
      case 'status':
        return send(response, statusOf(id, app));
      case 'result':
        return send(response, await resultOf(id));
    }
  }

  function submit(pathname: string, body: string, { headers }: IncomingMessage) {
    const id = `00000000-0000-4000-8000-${String(requests.size + 1).padStart(12, '0')}`;
    const input = JSON.parse(body) as Record<string, unknown>;
    requests.set(id, input);
    server.inputs.push(input);
    server.headers.push(headers);
    const [, owner, app] = pathname.split('/');
    const base = `${server.url}/${owner}/${app}/requests/${id}`;
    const urls = { response_url: base, status_url: `${base}/status`, cancel_url: `${base}/cancel` };
    return { status: 200, body: { status: 'IN_QUEUE', request_id: id, queue_position: 0, ...urls } };
  }

  function statusOf(id: string, app: string) {
    if (!requests.has(id)) return { status: 404, body: { detail: 'Request not found' } };
    const status = server.stuckAs ?? 'COMPLETED';
    const response_url = `${server.url}/${app}/requests/${id}`;
    const body = { status, request_id: id, response_url, metrics: { inference_time: 1.5 } };
    return { status: status === 'COMPLETED' ? 200 : 202, body };
  }

  async function resultOf(id: string) {
    const input = requests.get(id);
    if (!input) return { status: 404, body: { detail: 'Request not found' } };
    const bytes = input.sync_mode ? (server.output ?? (await pictureOf(input))) : null;
    const url = bytes ? `data:image/png;base64,${bytes.toString('base64')}` : `${server.url}/files/${id}`;
    const file = { url, content_type: 'image/png', file_name: 'out.png', file_size: 1 };
    const body = server.outputField === 'video' ? { video: file } : { images: [file], seed: 1, prompt: '' };
    return { status: 200, body };
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return server;
}

async function pictureOf(input: Record<string, unknown>): Promise<Buffer> {
  const { width = 64, height = 96 } = (input.image_size ?? {}) as { width?: number; height?: number };
  const [photo] = (input.image_urls ?? []) as string[];
  const source = photo
    ? sharp(Buffer.from(photo.replace(/^data:[^,]*,/, ''), 'base64')).resize(width, height, { fit: 'cover' })
    : sharp({ create: { width, height, channels: 3, background: '#3060a0' } });
  return source.png({ compressionLevel: 1 }).toBuffer();
}

function send(response: ServerResponse, { status, body, headers }: Exclude<PlannedAnswer, string>): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
