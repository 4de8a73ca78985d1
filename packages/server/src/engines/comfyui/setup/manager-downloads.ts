import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import { pause } from '../../pause.ts';
import { type Upstream, UpstreamError, upstream } from '../../upstream.ts';
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
  /** Told of the file that it downloads now: it does not say how far that is. */
  progress(file: FileToGet): void;
  pollMs?: number;
}

/** Nobody answers, or refuses: a script may do it. */
export class ManagerUnusable extends AppError {}

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
    if (taken.length > 0) await waitForQueue(server, taken, options);
    return taken;
  } catch (error) {
    throw error instanceof UpstreamError ? unusable(url, error) : error;
  } finally {
    await server.close();
  }
}

async function waitForQueue(
  server: Upstream,
  taken: readonly FileToGet[],
  { signal, progress, pollMs = 2000 }: ManagerOptions,
): Promise<void> {
  await server.answer({ method: 'POST', path: '/manager/queue/start', json: {}, signal });
  try {
    for (;;) {
      const queue = await server.json(Queue, { path: '/manager/queue/status', signal });
      if (!queue.is_processing) return;
      progress(currentFile(taken, queue));
      await pause(pollMs, signal);
      signal.throwIfAborted();
    }
  } catch (error) {
    throw signal.aborted ? goesOn() : error;
  }
}

/** The queue may hold what others have asked for before. */
function currentFile(
  taken: readonly FileToGet[],
  { total_count, done_count }: z.infer<typeof Queue>,
): FileToGet {
  const others = Math.max(0, total_count - taken.length);
  return taken[Math.min(Math.max(0, done_count - others), taken.length - 1)]!;
}

const goesOn = () =>
  new AppError('USAGE', 'Guise no longer waits for the files: ComfyUI-Manager goes on with them.');

function unusable(url: string, cause: UpstreamError): ManagerUnusable {
  const what =
    cause.kind === 'unreachable'
      ? 'does not answer'
      : cause.kind === 'status'
        ? `refuses, with the status ${cause.status}`
        : 'answers in a form that is not known';
  return new ManagerUnusable('USAGE', `ComfyUI-Manager at ${new URL(url).host} ${what}.`, { cause });
}
