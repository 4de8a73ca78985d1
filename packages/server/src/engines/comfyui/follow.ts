import { pause } from '../pause.ts';
import type { RunLimits } from '../run-limits.ts';
import { UpstreamError } from '../upstream.ts';
import type { ComfyuiClient, HistoryEntry } from './comfyui-client.ts';
import type { TimeLimits } from './time-limits.ts';

export type End =
  | { kind: 'done'; outputs: HistoryEntry['outputs']; gpuSeconds: number | null }
  /** A node raised this; `node` is its id and class. */
  | { kind: 'raised'; node: string; type: string; message: string; gpuSeconds: number | null }
  | { kind: 'interrupted' }
  /** The server answers and knows nothing of the prompt: it was restarted, or somebody deleted it. */
  | { kind: 'lost' }
  /** The server does not answer. */
  | { kind: 'away' }
  /** It answers, but not as ComfyUI does. */
  | { kind: 'broken' }
  /** It waited longer than it may, or ran longer than it may. */
  | { kind: 'overdue' | 'overran' };

/** Wakes the follower before its next poll is due. */
export interface Hints {
  /** When the socket last had a message about this prompt. */
  heardAt(): number;
  /** Resolves when the socket says that the prompt has ended. */
  ended(): Promise<void>;
}

const speaksMs = 3000;

/** Waits for the end of a prompt by polling `/history` and `/queue`. Only an abort makes it throw. */
export async function follow(
  client: ComfyuiClient,
  promptId: string,
  hints: Hints,
  signal: AbortSignal,
  options: {
    timeLimits: TimeLimits;
    runLimits: RunLimits;
    suspect?: boolean;
    onUnreachable?: () => void;
  },
): Promise<End> {
  const { timeLimits, runLimits } = options;
  let outage = options.suspect ?? false;
  let troubleSince: number | null = null;
  let missingSince: number | null = null;
  let ended = false;
  const sentAt = performance.now();
  /** When it was first seen to run, which is when its server began to load what it needs. */
  let ranAt: number | null = null;
  let afterEndMs = 40;
  void hints.ended().then(() => {
    ended = true;
  });
  for (let first = true; ; first = false) {
    const speaks = performance.now() - hints.heardAt() < speaksMs;
    // The first poll is for a prompt that an earlier process sent, and that may have ended long ago.
    if (!first || !options.suspect) {
      const ms = ended ? afterEndMs : speaks ? timeLimits.pollMs : timeLimits.silentPollMs;
      await pause(ms, signal, ended ? undefined : hints.ended());
    }
    signal.throwIfAborted();
    if (ended) afterEndMs = Math.min(afterEndMs * 1.7, timeLimits.silentPollMs);
    try {
      const entry = await client.history(promptId, signal);
      if (entry) return endOf(entry);
      const talking = performance.now() - hints.heardAt() < speaksMs && !ended;
      const place = talking ? 'running' : await client.placeOf(promptId, signal);
      if (place === 'running') ranAt ??= performance.now();
      missingSince = place === null ? (missingSince ?? performance.now()) : null;
      troubleSince = null;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof UpstreamError)) throw error;
      if (error.kind === 'unreachable') {
        outage = true;
        options.onUnreachable?.();
      }
      troubleSince ??= performance.now();
      if (performance.now() - troubleSince > timeLimits.awayMs)
        return { kind: error.kind === 'unreachable' ? 'away' : 'broken' };
    }
    if (performance.now() - (ranAt ?? sentAt) > (ranAt === null ? runLimits.waitingMs : runLimits.runningMs))
      return { kind: ranAt === null ? 'overdue' : 'overran' };
    const limit = outage ? timeLimits.missingAfterOutageMs : timeLimits.missingMs;
    if (missingSince !== null && performance.now() - missingSince > limit) return { kind: 'lost' };
  }
}

function endOf({ status, outputs }: HistoryEntry): End {
  const gpuSeconds = secondsOf(status.messages);
  if (status.status_str === 'success') return { kind: 'done', outputs, gpuSeconds };
  const said = (type: string) =>
    status.messages.find(([name]) => name === type)?.[1] as Record<string, unknown> | undefined;
  if (said('execution_interrupted')) return { kind: 'interrupted' };
  const error = said('execution_error') ?? {};
  return {
    kind: 'raised',
    node: `node ${error.node_id ?? 'unknown'} (${error.node_type ?? 'unknown'})`,
    type: String(error.exception_type ?? 'unknown'),
    message: String(error.exception_message ?? ''),
    gpuSeconds,
  };
}

/** How long the server was at it, by its own clock: from the start of the run to its last message. */
function secondsOf(messages: HistoryEntry['status']['messages']): number | null {
  const times = messages.map(([name, said]) => ({ name, at: (said as { timestamp?: unknown })?.timestamp }));
  const start = times.find(({ name }) => name === 'execution_start')?.at;
  const end = times.at(-1)?.at;
  if (typeof start !== 'number' || typeof end !== 'number' || end < start) return null;
  return (end - start) / 1000;
}
