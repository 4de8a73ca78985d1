import { isoTime } from '../../iso-time.ts';
import { type Circuit, circuit } from '../circuit.ts';
import { engineBroke, engineUnfit } from '../engine.ts';
import { pause } from '../pause.ts';
import { createServerReports, type ServerReports } from '../server-reports.ts';
import { UpstreamError } from '../upstream.ts';
import { createWorkflowMemory, type WorkflowMemory } from '../workflow-memory.ts';
import { type ComfyuiClient, comfyuiClient } from './comfyui-client.ts';
import { stopPrompt } from './stop.ts';
import { defaultTimeLimits, type TimeLimits } from './time-limits.ts';
import { versionProblem } from './version.ts';

export interface ServerOptions {
  url: string;
  /** Its share of the work, beside the others'. */
  weight: number;
  /** Prompts it is given at once: it runs one and has the next ready. */
  jobs: number;
  headers: Record<string, string>;
}

export interface ComfyuiServer {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly client: ComfyuiClient;
  readonly circuit: Circuit;
  running: number;
  /** The kind of what went wrong there last, and when. */
  lastError: { what: string; at: number } | null;
  /** As it said last; undefined until it has. */
  version: string | null | undefined;
  /** Prompts that wait or run there, whoever sent them; null when it does not say. */
  queue: number | null;
}

export function noteError(server: ComfyuiServer, what: string): void {
  server.lastError = { what, at: Date.now() };
}

export interface HeldServer {
  server: ComfyuiServer;
  release(): void;
}

export interface Servers {
  readonly slots: number;
  readonly timeLimits: Readonly<TimeLimits>;
  /** The least busy server that works, held until it is released. Waits while all are full. */
  acquire(signal: AbortSignal, avoid: ReadonlySet<string>, workflow?: string): Promise<HeldServer>;
  /** Whether the server is one that jobs go to; asks it where it has not said its version yet. */
  isFit(server: ComfyuiServer, signal: AbortSignal): Promise<boolean>;
  readonly reports: ServerReports;
  readonly memory: WorkflowMemory;
  /** Whether one of the others works, be it full or not. */
  isOneUp(avoid: ReadonlySet<string>, workflow: string): boolean;
  /** The server of an earlier run, whatever its state. */
  hold(url: string): HeldServer | null;
  /** Sees to it that a prompt stops, in the background. */
  stop(server: ComfyuiServer, promptId: string): void;
  list(): readonly ComfyuiServer[];
  /** Waits a while for prompts that are being stopped. */
  close(): Promise<void>;
}

const closeMs = 5000;

const noServer = () => engineBroke('No GPU server can be reached right now. Try again in a while.');

export function comfyuiServers(
  options: readonly ServerOptions[],
  shorter: Partial<TimeLimits> = {},
): Servers {
  const timeLimits = { ...defaultTimeLimits, ...shorter };
  const servers = options.map((server) => ({
    ...server,
    client: comfyuiClient(server.url, server.headers, timeLimits.answerMs),
    circuit: circuit(),
    running: 0,
    lastError: null as ComfyuiServer['lastError'],
    version: undefined as string | null | undefined,
    queue: null as number | null,
  }));
  let changed = Promise.withResolvers<void>();
  const stop = new AbortController();
  const stopping = new Set<Promise<void>>();
  const notify = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  const check = async () => {
    await Promise.all(
      servers.map(async (server) => {
        const before = server.circuit.state();
        try {
          server.version = await server.client.version(stop.signal);
          server.circuit.reached();
          server.queue = await server.client.queueLength(stop.signal).catch(() => null);
        } catch (error) {
          if (stop.signal.aborted) return;
          noteError(server, error instanceof UpstreamError ? error.message : 'no answer');
          server.queue = null;
          server.circuit.unreached();
        }
        if (before !== server.circuit.state()) notify();
      }),
    );
    reports.compare();
  };
  const problemOf = ({ version }: (typeof servers)[number]) =>
    version === undefined ? null : versionProblem(version);
  /** Why the server gets no jobs, or not all that it could have. */
  const reasonOf = (server: (typeof servers)[number]): string | null => {
    const tooOld = problemOf(server);
    if (tooOld) return tooOld;
    const last = server.lastError?.what ?? 'unknown';
    const state = server.circuit.state();
    if (state === 'down') return last;
    if (state === 'resting') return `jobs failed there one after the other, the last by: ${last}`;
    const count = server.circuit.restingWorkflows();
    const resting = count === 1 ? '1 workflow' : `${count} workflows`;
    return count === 0 ? null : `it gets no jobs of ${resting} for a while: jobs failed one after the other`;
  };
  const reports = createServerReports(() =>
    servers.map((server) => ({
      address: new URL(server.url).host,
      state: problemOf(server) ? 'too old' : server.circuit.state(),
      running: server.running,
      queue: server.queue,
      version: server.version ?? null,
      reason: reasonOf(server),
      last_error: server.lastError?.what ?? null,
      last_error_at: server.lastError && isoTime(server.lastError.at),
    })),
  );
  const timer = setInterval(() => void check(), timeLimits.healthMs).unref();
  void check();

  const tooOld = (old: readonly (typeof servers)[number][]) => {
    const why = old.map((server) => `${new URL(server.url).host}: ${problemOf(server)}`).join('; ');
    return engineUnfit('The GPU servers of this installation are too old.', new Error(why));
  };

  const holding = (server: (typeof servers)[number]): HeldServer => {
    server.running++;
    let held = true;
    return {
      server,
      release() {
        if (!held) return;
        held = false;
        server.running--;
        notify();
      },
    };
  };

  return {
    timeLimits,
    slots: servers.reduce((sum, server) => sum + server.jobs, 0),
    async acquire(signal, avoid, workflow) {
      let noneSince: number | null = null;
      for (;;) {
        signal.throwIfAborted();
        const others = servers.filter((server) => !avoid.has(server.url));
        const left = others.filter((server) => problemOf(server) === null);
        if (others.length > 0 && left.length === 0) throw tooOld(others);
        const working = left.filter((server) => server.circuit.allows(server.running, workflow));
        const [best] = working
          .filter((server) => server.running < server.jobs)
          .toSorted((a, b) => (a.running + 1) / a.weight - (b.running + 1) / b.weight);
        if (best) return holding(best);
        if (left.length === 0) throw noServer();
        noneSince = working.length > 0 ? null : (noneSince ?? performance.now());
        if (noneSince !== null && performance.now() - noneSince > timeLimits.noServerMs) throw noServer();
        await pause(1000, signal, changed.promise);
      }
    },
    isOneUp: (avoid, workflow) =>
      servers.some(
        (server) =>
          !avoid.has(server.url) && problemOf(server) === null && server.circuit.allows(0, workflow),
      ),
    async isFit(server, signal) {
      server.version ??= await server.client.version(signal);
      return versionProblem(server.version) === null;
    },
    reports,
    memory: createWorkflowMemory(),
    hold(url) {
      const server = servers.find((candidate) => candidate.url === url);
      return server ? holding(server) : null;
    },
    stop(server, promptId) {
      const end = stopPrompt(server.client, promptId).finally(() => stopping.delete(end));
      stopping.add(end);
    },
    list: () => servers,
    async close() {
      clearInterval(timer);
      await pause(closeMs, stop.signal, Promise.all(stopping));
      stop.abort();
      await Promise.all(servers.map((server) => server.client.close()));
    },
  };
}
