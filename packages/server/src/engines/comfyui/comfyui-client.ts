import type { Workflow } from '@guise/contract/workflow.ts';
import { z } from 'zod';
import { UpstreamError, upstream } from '../upstream.ts';
import { ObjectInfo } from '../workflow/object-info.ts';
import { describeRefusal, Refusal } from './refusal.ts';
import { defaultTimeLimits } from './time-limits.ts';

const Named = z.looseObject({ name: z.string().min(1), subfolder: z.string() });

const Answered = Refusal.extend({ prompt_id: z.string().optional() });

const QueueEntry = z.tuple([z.unknown(), z.string()], z.unknown());
const QueueAnswer = z.looseObject({ queue_running: z.array(QueueEntry), queue_pending: z.array(QueueEntry) });

const HistoryEntry = z.looseObject({
  outputs: z.record(z.string(), z.unknown()).default({}),
  status: z.looseObject({
    status_str: z.string(),
    completed: z.boolean().optional(),
    messages: z.array(z.tuple([z.string(), z.unknown()], z.unknown())).default([]),
  }),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

const SystemStats = z.looseObject({ system: z.looseObject({ comfyui_version: z.string().nullish() }) });
const QueueInfo = z.looseObject({ exec_info: z.looseObject({ queue_remaining: z.int() }) });

/** A file as ComfyUI names it. `/view` wants all three exactly. */
export const OutputFile = z.looseObject({ filename: z.string(), subfolder: z.string(), type: z.string() });
export type OutputFile = z.infer<typeof OutputFile>;

export interface ComfyuiClient {
  readonly address: string;
  /** Gives the name under which the graph can load it: the server may have changed it. */
  upload(name: string, bytes: Buffer, signal: AbortSignal): Promise<string>;
  /** Queues the graph. A server that refuses it, or that takes it but will not make its output, says why. */
  queue(
    workflow: Workflow,
    ids: { prompt: string; client: string },
    signal: AbortSignal,
  ): Promise<{ refusal: string | null }>;
  /** What became of a prompt, once it has ended. */
  history(promptId: string, signal: AbortSignal): Promise<HistoryEntry | null>;
  /** Whether it waits or runs; null when it does neither. */
  placeOf(promptId: string, signal: AbortSignal): Promise<'waiting' | 'running' | null>;
  /** Takes a prompt out of the queue and interrupts it, and no other. Both say 200 whatever they did. */
  stop(promptId: string, signal: AbortSignal): Promise<void>;
  view(output: OutputFile, file: string, maxBytes: number, signal: AbortSignal): Promise<void>;
  objectInfo(signal: AbortSignal): Promise<ObjectInfo>;
  /** Its version, as it says it. */
  version(signal: AbortSignal): Promise<string | null>;
  /** How many prompts wait or run there, whoever sent them. */
  queueLength(signal: AbortSignal): Promise<number>;
  socketAddress(clientId: string): string;
  close(): Promise<void>;
}

/** The folder, on the server, of everything that comes from here. */
export const folder = 'guise';

export function comfyuiClient(
  address: string,
  headers: Record<string, string> = {},
  answerMs = defaultTimeLimits.answerMs,
): ComfyuiClient {
  const server = upstream(address, headers);
  return {
    address,
    async upload(name, bytes, signal) {
      const form = uploadForm(name, bytes);
      const call = { method: 'POST', path: '/upload/image', form, signal, timeoutMs: 60_000 } as const;
      const stored = await server.json(Named, call);
      return stored.subfolder === '' ? stored.name : `${stored.subfolder}/${stored.name}`;
    },
    async queue(workflow, { prompt, client }, signal) {
      const json = { prompt: workflow, client_id: client, prompt_id: prompt };
      const answer = await server.json(Answered, {
        method: 'POST',
        path: '/prompt',
        json,
        signal,
        timeoutMs: answerMs,
        also: [400],
      });
      if (answer.prompt_id === undefined || Object.keys(answer.node_errors).length > 0)
        return { refusal: describeRefusal(answer) };
      // A server too old to honour our id runs it under one of its own: that run is not ours to find again.
      if (answer.prompt_id !== prompt)
        throw new UpstreamError('garbage', 'prompt: our prompt_id was not taken');
      return { refusal: null };
    },
    async history(promptId, signal) {
      const schema = z.record(z.string(), HistoryEntry);
      const found = await server.json(schema, {
        path: `/history/${encodeURIComponent(promptId)}`,
        signal,
        timeoutMs: answerMs,
      });
      return found[promptId] ?? null;
    },
    async placeOf(promptId, signal) {
      const { queue_running, queue_pending } = await server.json(QueueAnswer, {
        path: '/queue',
        signal,
        timeoutMs: answerMs,
      });
      const isIn = (entries: typeof queue_running) => entries.some(([, id]) => id === promptId);
      return isIn(queue_running) ? 'running' : isIn(queue_pending) ? 'waiting' : null;
    },
    async stop(promptId, signal) {
      const timeoutMs = 5000;
      await server.send({ method: 'POST', path: '/queue', json: { delete: [promptId] }, signal, timeoutMs });
      await server.send({
        method: 'POST',
        path: '/interrupt',
        json: { prompt_id: promptId },
        signal,
        timeoutMs,
      });
    },
    view: ({ filename, subfolder, type }, file, maxBytes, signal) =>
      server.download(
        { path: '/view', query: { filename, subfolder, type }, signal, maxBytes, timeoutMs: 120_000 },
        file,
      ),
    objectInfo: (signal) => server.json(ObjectInfo, { path: '/object_info', signal, timeoutMs: 20_000 }),
    async version(signal) {
      const { system } = await server.json(SystemStats, { path: '/system_stats', signal, timeoutMs: 4000 });
      return system.comfyui_version ?? null;
    },
    async queueLength(signal) {
      const { exec_info } = await server.json(QueueInfo, { path: '/prompt', signal, timeoutMs: 4000 });
      return exec_info.queue_remaining;
    },
    socketAddress: (clientId) => `${socketBase(address)}ws?clientId=${clientId}`,
    close: () => server.close(),
  };
}

function uploadForm(name: string, bytes: Buffer): FormData {
  const form = new FormData();
  const type = name.endsWith('.png') ? 'image/png' : 'image/jpeg';
  form.append('image', new File([new Uint8Array(bytes)], name, { type }));
  form.append('subfolder', folder);
  form.append('type', 'input');
  return form;
}

function socketBase(address: string): string {
  const url = new URL(address.endsWith('/') ? address : `${address}/`);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return `${url.origin}${url.pathname}`;
}
