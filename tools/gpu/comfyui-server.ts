import { randomUUID } from 'node:crypto';
import type { Workflow } from '@guise/contract/workflow.ts';

/** A ComfyUI server as any other client of it sees it. */
export interface ComfyuiServer {
  url: string;
  /** Of ComfyUI, Python, PyTorch, and the device it runs on. */
  versions(): Promise<string>;
  /** The runs that have ended, newest last. */
  history(): Promise<FinishedComfyuiRun[]>;
  /** The ids of the runs that run and wait, in this order. */
  queue(): Promise<string[]>;
  upload(name: string, bytes: Buffer): Promise<void>;
  /** Queues a graph as somebody else than Guise would, and gives its id. */
  queueForeign(graph: Workflow): Promise<string>;
  /** Waits until a run has ended. */
  ended(id: string): Promise<FinishedComfyuiRun>;
  /** The file that a run saved. */
  view(run: FinishedComfyuiRun): Promise<Buffer>;
  /** Lets it forget the pictures of earlier runs. */
  freeMemory(): Promise<void>;
}

export interface FinishedComfyuiRun {
  id: string;
  /** Whether it ended well. */
  worked: boolean;
  /** Whether somebody interrupted it. */
  interrupted: boolean;
  files: SavedFile[];
  /** What its output node writes its file to. */
  prefixes: string[];
}

interface SavedFile {
  filename: string;
  subfolder: string;
  type: string;
}

interface HistoryEntry {
  prompt: [number, string, Workflow, ...unknown[]];
  outputs: Record<string, { images?: SavedFile[] }>;
  status: { status_str: string; messages: [string, unknown][] };
}

const pollMs = 150;
const limitMs = 180_000;

export function comfyuiAt(address: string): ComfyuiServer {
  const url = address.replace(/\/+$/, '');
  const ask = async <T>(path: string, body?: object | FormData): Promise<T> => {
    const isForm = body instanceof FormData;
    const response = await fetch(url + path, {
      ...(body && { method: 'POST', body: isForm ? body : JSON.stringify(body) }),
      ...(body && !isForm && { headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${url}${path}: ${response.status} ${text.slice(0, 500)}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  };
  const readRun = (id: string, { prompt, outputs, status }: HistoryEntry): FinishedComfyuiRun => ({
    id,
    worked: status.status_str === 'success',
    interrupted: status.messages.some(([name]) => name === 'execution_interrupted'),
    files: Object.values(outputs).flatMap(({ images }) => images ?? []),
    prefixes: Object.values(prompt[2]).flatMap(({ inputs }) => {
      const { filename_prefix: prefix } = inputs;
      return typeof prefix === 'string' ? [prefix] : [];
    }),
  });

  return {
    url,
    async versions() {
      const { system, devices } = await ask<{
        system: { comfyui_version: string; python_version: string; pytorch_version: string };
        devices: { name: string }[];
      }>('/system_stats');
      const python = system.python_version.split(' ')[0];
      const device = devices.map(({ name }) => name).join(', ');
      return `ComfyUI ${system.comfyui_version}, Python ${python}, PyTorch ${system.pytorch_version}, ${device}`;
    },
    async history() {
      const entries = await ask<Record<string, HistoryEntry>>('/history');
      return Object.entries(entries).map(([id, entry]) => readRun(id, entry));
    },
    async queue() {
      const { queue_running, queue_pending } =
        await ask<Record<'queue_running' | 'queue_pending', [number, string, ...unknown[]][]>>('/queue');
      return [...queue_running, ...queue_pending].map(([, id]) => id);
    },
    async upload(name, bytes) {
      const form = new FormData();
      form.append('image', new File([new Uint8Array(bytes)], name));
      form.append('subfolder', tryFolder);
      form.append('overwrite', 'true');
      await ask('/upload/image', form);
    },
    async queueForeign(graph) {
      const { prompt_id } = await ask<{ prompt_id: string }>('/prompt', {
        prompt: graph,
        client_id: randomUUID(),
      });
      return prompt_id;
    },
    async ended(id) {
      for (const giveUpAt = Date.now() + limitMs; Date.now() < giveUpAt; ) {
        const entry = (await ask<Record<string, HistoryEntry>>(`/history/${id}`))[id];
        if (entry) return readRun(id, entry);
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
      throw new Error(`the run ${id} did not end within ${limitMs / 1000} s`);
    },
    async view({ files: [file] }) {
      const query = new URLSearchParams({ ...file! });
      return Buffer.from(await (await fetch(`${url}/view?${query}`)).arrayBuffer());
    },
    async freeMemory() {
      await ask('/free', { unload_models: true, free_memory: true });
    },
  };
}

/** The folder, on the server, of what is uploaded for the trial itself. */
export const tryFolder = 'guise-try';
