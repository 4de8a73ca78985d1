import { z } from 'zod';
import { pause } from '../../pause.ts';
import { type Upstream, upstream } from '../../upstream.ts';
import type { FileToGet, ServerToSetUp } from './propose-setup.ts';

const Listed = z.looseObject({
  filename: z.string(),
  save_path: z.string(),
  base: z.string(),
  url: z.string(),
});
const List = z.looseObject({ models: z.array(Listed) });
const Queue = z.looseObject({ total_count: z.int(), done_count: z.int(), is_processing: z.boolean() });

export interface ManagerOptions {
  headers: Record<string, string>;
  signal: AbortSignal;
  progress(done: number, total: number): void;
  pollMs?: number;
}

/**
 * Lets ComfyUI-Manager, where a server has it, download the files that are in its list: it refuses others. Returns those
 * that it took on, after it has ended.
 */
export async function downloadByManager(
  { url }: Pick<ServerToSetUp, 'url'>,
  files: readonly FileToGet[],
  options: ManagerOptions,
): Promise<FileToGet[]> {
  const server = upstream(url, options.headers);
  try {
    const { signal } = options;
    const { models } = await server.json(List, {
      path: '/externalmodel/getlist',
      query: { mode: 'cache' },
      signal,
      timeoutMs: 60_000,
    });
    const taken: FileToGet[] = [];
    for (const file of files) {
      const listed = models.find((one) => one.filename === file.file && one.url === file.from);
      if (!listed) continue;
      const answer = await server.answer({
        method: 'POST',
        path: '/manager/queue/install_model',
        json: { ...listed, ui_id: file.file },
        signal,
      });
      if (answer.status === 200) taken.push(file);
    }
    if (taken.length > 0) await waitForQueue(server, options);
    return taken;
  } finally {
    await server.close();
  }
}

async function waitForQueue(server: Upstream, { signal, progress, pollMs = 2000 }: ManagerOptions) {
  await server.answer({ method: 'POST', path: '/manager/queue/start', json: {}, signal });
  for (;;) {
    const queue = await server.json(Queue, { path: '/manager/queue/status', signal });
    progress(queue.done_count, queue.total_count);
    if (!queue.is_processing) return;
    await pause(pollMs, signal);
    signal.throwIfAborted();
  }
}
