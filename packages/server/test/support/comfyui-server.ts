import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { WebSocket, WebSocketServer } from 'ws';
import { ancestors, type Graph, nodeClasses, objectInfo, validate } from './comfyui-nodes.ts';
import { readMultipart } from './multipart.ts';

/** How the server misbehaves; everything off at first. Tests change it while it runs. */
export interface ComfyuiFaults {
  /** Extra time of every node. */
  slowMs: number;
  /** Messages of the socket come in another order. */
  reorder: boolean;
  /** The socket opens and says nothing. */
  silentSocket: boolean;
  refuseSocket: boolean;
  /** Every socket is cut after this many messages, without a close frame. */
  cutSocketAfter: number;
  historyLateMs: number;
  /** The prompt is accepted and its output silently dropped. */
  nodeErrors: boolean;
  /** Outputs are gone by the time they are asked for. */
  deleteFiles: boolean;
  /** So many of the next interrupts do nothing. */
  loseInterrupts: number;
  /** Accepted prompts that are then forgotten. */
  forget: number;
  /** The next run repeats this old file name, as a cached run does. */
  repeatFile: string | null;
  /** A node raises this; with `having`, only in graphs that have a node of that class. */
  raise: { type: string; message: string; having?: string } | null;
  /** What is in the output file instead of a picture. */
  output: Buffer | 'endless' | null;
  /** Bodies that are no JSON, on paths that begin so. */
  garbage: string | null;
  /** 500 as plain text, on paths that begin so. */
  broken: string | null;
  /** No answer, on paths that begin so. */
  mute: string | null;
  /**
   * What it says that it is. As the real ones did: before 0.3.45 it ignores the `prompt_id` of a prompt, before 0.3.57
   * that of an interrupt, and so interrupts whatever runs.
   */
  version: string;
  /** The answer of `POST /prompt` is cut off after the prompt was queued. */
  cutPromptAnswers: number;
  /** So many of the next files are cut off. */
  cutFiles: number;
}

const noFaults: ComfyuiFaults = {
  slowMs: 0,
  reorder: false,
  silentSocket: false,
  refuseSocket: false,
  cutSocketAfter: Number.POSITIVE_INFINITY,
  historyLateMs: 0,
  nodeErrors: false,
  deleteFiles: false,
  loseInterrupts: 0,
  forget: 0,
  repeatFile: null,
  raise: null,
  output: null,
  garbage: null,
  broken: null,
  mute: null,
  version: '0.3.64',
  cutPromptAnswers: 0,
  cutFiles: 0,
};

export interface ComfyuiOptions {
  /** What a node takes; a sampler takes it for every step. */
  nodeMs?: number;
  steps?: number;
  /** Prompts it runs at once; the real one runs one. */
  gpus?: number;
  /** What video nodes save. */
  video?: { bytes: Buffer; extension: string };
}

export interface ComfyuiServer {
  readonly url: string;
  faults: ComfyuiFaults;
  /** Prompt ids as they were accepted, and as they began and ended to run. */
  accepted: string[];
  begun: string[];
  finished: string[];
  interrupted: string[];
  /** Ids that waited, ran or had ended when the server was killed, and that it knows nothing of since. */
  lost: string[];
  graphs: Map<string, Graph>;
  uploads: Map<string, Buffer>;
  requests: { method: string; path: string; headers: IncomingMessage['headers'] }[];
  /** Ids that wait or run now. */
  queue(): string[];
  /** Memory is lost, files stay, sockets die without a word. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  behave(): void;
}

interface Entry {
  number: number;
  id: string;
  graph: Graph;
  clientId: string | undefined;
  outputs: string[];
  interrupted: boolean;
}

const sizeLimit = 104_857_600;

/** A ComfyUI server on the wire, after recordings of 0.3.64. It really makes files: the photo, scaled to the graph's size. */
export async function comfyuiServer(options: ComfyuiOptions = {}): Promise<ComfyuiServer> {
  const { nodeMs = 1, steps = 4, gpus = 1 } = options;
  const files = new Map<string, Buffer>();
  const uploads = new Map<string, Buffer>();
  let life = 0;
  let port = 0;
  let http: Server;
  let sockets = new Set<Socket>();
  let clients = new Map<string, WebSocket>();
  let pending: Entry[] = [];
  let running: Entry[] = [];
  let history = new Map<string, unknown>();
  let cache = new Set<string>();
  let counter = 0;
  let names = 0;

  const server: ComfyuiServer = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    faults: { ...noFaults },
    accepted: [],
    begun: [],
    finished: [],
    interrupted: [],
    lost: [],
    graphs: new Map(),
    uploads,
    requests: [],
    queue: () => [...running, ...pending].map((entry) => entry.id),
    behave() {
      server.faults = { ...noFaults };
    },
    async kill() {
      life++;
      server.lost.push(...server.queue(), ...history.keys());
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => http.close(resolve));
      sockets = new Set();
      clients = new Map();
      pending = [];
      running = [];
      history = new Map();
      cache = new Set();
      counter = 0;
    },
    async start() {
      http = createServer((request, response) => void answer(request, response));
      http.on('connection', (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      });
      const ws = new WebSocketServer({ noServer: true });
      http.on('upgrade', (request, socket, head) => {
        server.requests.push({ method: 'UPGRADE', path: '/ws', headers: request.headers });
        if (server.faults.refuseSocket || request.headers.origin) return socket.destroy();
        ws.handleUpgrade(request, socket, head, (client) => open(client, new URL(request.url!, server.url)));
      });
      await new Promise<void>((resolve, reject) => {
        http.once('error', reject);
        http.listen(port, '127.0.0.1', resolve);
      });
      port = (http.address() as AddressInfo).port;
    },
    async stop() {
      await server.kill();
    },
  };

  function open(client: WebSocket, url: URL): void {
    const sid = url.searchParams.get('clientId') || randomUUID().replaceAll('-', '');
    clients.set(sid, client);
    // As the real one: whichever socket of an id closes, the id is forgotten.
    client.on('close', () => clients.delete(sid));
    client.on('error', () => {});
    send(sid, 'status', { ...queueStatus(), sid });
    const mine = running.find((entry) => entry.clientId === sid);
    if (mine) send(sid, 'executing', { node: mine.outputs[0] });
  }

  const queueStatus = () => ({ status: { exec_info: { queue_remaining: pending.length + running.length } } });
  const sent = new WeakMap<WebSocket, number>();
  let held: (() => void)[] = [];

  function send(sid: string | undefined, type: string, data: unknown): void {
    const targets = sid === undefined ? [...clients.values()] : [clients.get(sid)];
    for (const client of targets) {
      if (!client || client.readyState !== WebSocket.OPEN || server.faults.silentSocket) continue;
      const count = (sent.get(client) ?? 0) + 1;
      sent.set(client, count);
      if (count > server.faults.cutSocketAfter) {
        client.terminate();
        continue;
      }
      const go = () => client.send(JSON.stringify({ type, data }));
      if (!server.faults.reorder) go();
      else if (held.push(go) >= 4) {
        for (const late of held.reverse()) late();
        held = [];
      }
    }
  }

  function fill(): void {
    while (running.length < gpus && pending.length > 0) {
      const entry = pending.shift()!;
      running.push(entry);
      void execute(entry, life);
    }
  }

  async function execute(entry: Entry, mine: number): Promise<void> {
    const alive = () => mine === life;
    const { id, clientId, graph } = entry;
    const messages: [string, unknown][] = [];
    const tell = (type: string, data: Record<string, unknown>) => {
      const full = { ...data, prompt_id: id };
      if (type.startsWith('execution_')) messages.push([type, { ...full, timestamp: Date.now() }]);
      if (clientId !== undefined || type === 'progress') send(clientId, type, full);
    };
    server.begun.push(id);
    const nodes = entry.outputs.flatMap((output) => ancestors(graph, output));
    const order = [...new Set(nodes)];
    const cached = order.filter((node) => cache.has(signature(graph, node)));
    tell('execution_start', {});
    tell('execution_cached', { nodes: cached });
    const outputs: Record<string, unknown> = {};
    const state: Record<string, unknown> = {};
    let failed: string | null = null;
    let current = order[0];
    try {
      for (const node of order.filter((name) => !cached.includes(name))) {
        current = node;
        const { class_type: type = '' } = graph[node]!;
        const show = (value: number, max: number, word: string) => {
          state[node] = { value, max, state: word, node_id: node, prompt_id: id, display_node_id: node };
          tell('progress_state', { nodes: { ...state } });
        };
        show(0, 1, 'running');
        tell('executing', { node, display_node: node });
        const count = type === 'KSampler' ? steps : 1;
        for (let step = 1; step <= count; step++) {
          await sleep(nodeMs + server.faults.slowMs);
          if (!alive()) return;
          if (entry.interrupted) throw new Error('interrupted');
          if (count > 1) {
            show(step, count, 'running');
            tell('progress', { value: step, max: count, node });
            if (clientId) clients.get(clientId)?.send(previewFrame);
          }
        }
        const { raise } = server.faults;
        const isMeant = order.some((name) => graph[name]!.class_type === (raise?.having ?? 'VAEDecode'));
        if (raise && isMeant && type === 'VAEDecode') throw new Error(raise.message);
        if (nodeClasses[type]?.outputNode) {
          const output = await save(entry, node);
          if (!alive()) return;
          outputs[node] = output;
          tell('executed', { node, display_node: node, output });
        }
        cache.add(signature(graph, node));
        show(1, 1, 'finished');
      }
      tell('execution_success', {});
    } catch (error) {
      const { message } = error as Error;
      failed = message === 'interrupted' ? 'execution_interrupted' : 'execution_error';
      const at = { node_id: current, node_type: graph[current!]!.class_type, executed: cached };
      if (failed === 'execution_interrupted') server.interrupted.push(id);
      tell(failed, failed === 'execution_interrupted' ? at : { ...at, ...exception(message) });
    }
    running = running.filter((other) => other !== entry);
    const remember = () => {
      if (!alive()) return;
      history.set(id, {
        prompt: [entry.number, id, graph, { client_id: clientId }, entry.outputs],
        outputs,
        status: { status_str: failed ? 'error' : 'success', completed: !failed, messages },
        meta: {},
      });
    };
    if (server.faults.historyLateMs > 0) setTimeout(remember, server.faults.historyLateMs);
    else remember();
    server.finished.push(id);
    send(undefined, 'status', queueStatus());
    tell('executing', { node: null });
    fill();
  }

  const exception = (message: string) => ({
    exception_message: message,
    exception_type: server.faults.raise?.type ?? 'RuntimeError',
    traceback: ['  File "/srv/comfyui/ComfyUI/execution.py", line 496, in execute\n'],
    current_inputs: { image: ['secret-input.png'] },
  });

  async function save({ graph }: Entry, node: string): Promise<Record<string, unknown>> {
    const { class_type: type = '', inputs = {} } = graph[node]!;
    if (type === 'PreviewImage') {
      const filename = `ComfyUI_temp_${++names}_00001_.png`;
      files.set(`temp//${filename}`, tinyPng);
      return { images: [{ filename, subfolder: '', type: 'temp' }] };
    }
    if (server.faults.repeatFile) {
      return { images: [{ filename: server.faults.repeatFile, subfolder: 'guise', type: 'output' }] };
    }
    const parts = String(inputs.filename_prefix ?? 'ComfyUI').split('/');
    const base = parts.pop();
    const subfolder = parts.join('/');
    const moving = type === 'SaveVideo' || type === 'VHS_VideoCombine';
    const extension = moving ? (options.video?.extension ?? 'mp4') : 'png';
    const filename = `${base}_00001_.${extension}`;
    const made = moving ? (options.video?.bytes ?? Buffer.alloc(0)) : await picture(graph, node);
    const { output } = server.faults;
    files.set(`output/${subfolder}/${filename}`, Buffer.isBuffer(output) ? output : made);
    const file = { filename, subfolder, type: 'output' };
    if (type === 'VHS_VideoCombine') return { gifs: [{ ...file, format: 'video/h264-mp4', frame_rate: 16 }] };
    return { images: [file], ...(moving && { animated: [true] }) };
  }

  const drawn = new Map<string, Buffer>();
  /** The first photo of the graph scaled to its size, with the graph in the file as ComfyUI writes it. */
  async function picture(graph: Graph, output: string): Promise<Buffer> {
    const used = ancestors(graph, output).map((node) => graph[node]!);
    const photo = used.find((node) => node.class_type === 'LoadImage')?.inputs?.image;
    const sized = used.find(
      (node) => typeof node.inputs?.width === 'number' && Number(node.inputs.height) > 0,
    );
    const width = Number(sized?.inputs?.width ?? 512);
    const height = Number(sized?.inputs?.height ?? 768);
    const key = `${createHash('sha256')
      .update(uploads.get(String(photo)) ?? '')
      .digest('hex')}/${width}x${height}`;
    const known = drawn.get(key);
    const bytes = uploads.get(String(photo));
    const plain =
      known ??
      (await (bytes
        ? sharp(bytes).resize(width, height, { fit: 'cover' })
        : sharp({ create: { width, height, channels: 3, background: '#3060a0' } })
      )
        .removeAlpha()
        .png({ compressionLevel: 4 })
        .toBuffer());
    drawn.set(key, plain);
    return withText(withText(plain, 'workflow', '{"nodes":[]}'), 'prompt', JSON.stringify(graph));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? '/', server.url);
    const path = url.pathname.replace(/^\/api(?=\/)/, '');
    server.requests.push({ method: request.method!, path, headers: request.headers });
    const { faults } = server;
    if (request.headers.origin && new URL(request.headers.origin).host !== request.headers.host)
      return end(response, 403, '');
    if (faults.mute && path.startsWith(faults.mute)) return undefined;
    const body = await bodyOf(request);
    if (faults.broken && path.startsWith(faults.broken)) return trouble(response);
    if (faults.garbage && path.startsWith(faults.garbage))
      return end(response, 200, '<html>not what you think', 'text/html');
    const route = `${request.method} /${path.split('/')[1]}`;
    if (body === null) return end(response, 413, `Maximum request body size ${sizeLimit} exceeded.`);
    try {
      switch (route) {
        case 'POST /upload':
          return upload(response, body, request.headers['content-type'] ?? '');
        case 'POST /prompt':
          return prompt(response, body);
        case 'GET /prompt':
          return json(response, { exec_info: { queue_remaining: pending.length + running.length } });
        case 'GET /queue':
          return json(response, { queue_running: running.map(row), queue_pending: pending.map(row) });
        case 'POST /queue': {
          const ids = (JSON.parse(body.toString()) as { delete?: string[] }).delete ?? [];
          pending = pending.filter((entry) => !ids.includes(entry.id));
          return end(response, 200, '');
        }
        case 'POST /interrupt':
          return interrupt(response, body);
        case 'GET /history': {
          const id = path.split('/')[2];
          const found = id === undefined ? [...history] : [...history].filter(([key]) => key === id);
          return json(response, Object.fromEntries(found));
        }
        case 'GET /view':
          return view(response, url.searchParams);
        case 'GET /object_info':
          return json(response, objectInfo(path.split('/')[2] ? [path.split('/')[2]!] : undefined));
        case 'GET /system_stats':
          return json(response, { system: { os: 'posix', comfyui_version: faults.version }, devices: [] });
        default:
          return end(response, 404, '', 'application/octet-stream');
      }
    } catch {
      return trouble(response);
    }
  }

  const row = ({ number, id, graph, clientId, outputs }: Entry) => [
    number,
    id,
    graph,
    { client_id: clientId },
    outputs,
  ];

  function upload(response: ServerResponse, body: Buffer, contentType: string): unknown {
    const parts = readMultipart(body, contentType);
    const image = parts.get('image');
    const field = (name: string) => parts.get(name)?.bytes.toString() ?? '';
    if (!image) return end(response, 400, '');
    if (!image.filename || image.filename.includes('/')) return trouble(response);
    const subfolder = field('subfolder');
    const nameOf = (name: string) => (subfolder === '' ? name : `${subfolder}/${name}`);
    const [stem, extension] = image.filename.split(/\.(?=[^.]*$)/);
    let name = image.filename;
    const overwrite = ['true', '1'].includes(field('overwrite'));
    for (let n = 1; !overwrite && uploads.has(nameOf(name)); n++) {
      if (uploads.get(nameOf(name))!.equals(image.bytes)) break;
      name = `${stem} (${n}).${extension}`;
    }
    uploads.set(nameOf(name), Buffer.from(image.bytes));
    return json(response, { name, subfolder, type: field('type') || 'input' });
  }

  function prompt(response: ServerResponse, body: Buffer): unknown {
    const given = JSON.parse(body.toString()) as { prompt?: Graph; client_id?: string; prompt_id?: unknown };
    if (given.prompt === undefined) {
      const error = {
        type: 'no_prompt',
        message: 'No prompt provided',
        details: 'No prompt provided',
        extra_info: {},
      };
      return json(response, { error, node_errors: {} }, 400);
    }
    const graph = given.prompt;
    const wrong = validate(graph, (name) => uploads.has(name));
    if (wrong && wrong.status !== 200) return json(response, wrong.body, wrong.status);
    const honours = patchOf(server.faults.version) >= 45;
    const id = given.prompt_id === undefined || !honours ? randomUUID() : String(given.prompt_id);
    const outputs = Object.keys(graph).filter((node) => nodeClasses[graph[node]!.class_type!]!.outputNode);
    const number = counter++;
    server.accepted.push(id);
    server.graphs.set(id, graph);
    const dropped = server.faults.nodeErrors
      ? {
          '9': {
            errors: [
              {
                type: 'required_input_missing',
                message: 'Required input is missing',
                details: 'images',
                extra_info: { input_name: 'images' },
              },
            ],
            dependent_outputs: ['9'],
            class_type: 'SaveImage',
          },
        }
      : (wrong?.body.node_errors ?? {});
    if (server.faults.forget > 0) server.faults.forget--;
    else pending.push({ number, id, graph, clientId: given.client_id, outputs, interrupted: false });
    send(undefined, 'status', queueStatus());
    if (server.faults.cutPromptAnswers > 0) {
      server.faults.cutPromptAnswers--;
      response.socket?.destroy();
    } else json(response, { prompt_id: id, number, node_errors: dropped });
    return fill();
  }

  function interrupt(response: ServerResponse, body: Buffer): unknown {
    const given = JSON.parse(body.toString() || '{}') as { prompt_id?: string };
    const id = patchOf(server.faults.version) >= 57 ? given.prompt_id : undefined;
    if (server.faults.loseInterrupts > 0) server.faults.loseInterrupts--;
    else for (const entry of running) if (id === undefined || entry.id === id) entry.interrupted = true;
    return end(response, 200, '');
  }

  function view(response: ServerResponse, query: URLSearchParams): unknown {
    const key = `${query.get('type') ?? 'output'}/${query.get('subfolder') ?? ''}/${query.get('filename')}`;
    const bytes = files.get(key);
    if (!bytes || server.faults.deleteFiles) return end(response, 404, '');
    response.writeHead(200, { 'content-type': 'image/png' });
    if (server.faults.cutFiles > 0) {
      server.faults.cutFiles--;
      return response.write(bytes.subarray(0, 100), () => response.destroy());
    }
    if (server.faults.output !== 'endless') return response.end(bytes);
    const block = Buffer.alloc(1 << 20, bytes.subarray(0, 64));
    const more = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', more);
    return more();
  }

  await server.start();
  return server;
}

/** The last part of 0.3.x. */
const patchOf = (version: string) => Number(version.split('.')[2]);

function signature(graph: Graph, node: string): string {
  return JSON.stringify(ancestors(graph, node).map((name) => [name, graph[name]]));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= sizeLimit) chunks.push(chunk);
    }
  } catch {
    return Buffer.alloc(0);
  }
  return size > sizeLimit ? null : Buffer.concat(chunks);
}

function end(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'text/plain; charset=utf-8',
): unknown {
  return response.writeHead(status, { ...(body !== '' && { 'content-type': type }) }).end(body);
}
const json = (response: ServerResponse, body: unknown, status = 200) =>
  end(response, status, JSON.stringify(body), 'application/json; charset=utf-8');
const trouble = (response: ServerResponse) =>
  end(response, 500, '500 Internal Server Error\n\nServer got itself in trouble');

const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
  'base64',
);
/** A preview as the socket sends it: event 1, format PNG, bytes. */
const previewFrame = Buffer.concat([Buffer.from([0, 0, 0, 1, 0, 0, 0, 2]), tinyPng]);

function withText(png: Buffer, keyword: string, text: string): Buffer {
  const data = Buffer.from(`tEXt${keyword}\0${text}`, 'latin1');
  const chunk = Buffer.alloc(data.length + 8);
  chunk.writeUInt32BE(data.length - 4);
  data.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(data), data.length + 4);
  const afterHeader = 8 + 25;
  return Buffer.concat([png.subarray(0, afterHeader), chunk, png.subarray(afterHeader)]);
}
