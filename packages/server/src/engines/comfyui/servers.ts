import type { ServerReport } from '@guise/contract/operator/operator.ts';
import type { AppError } from '../../errors.ts';
import { isoTime } from '../../iso-time.ts';
import { type Circuit, circuit } from '../circuit.ts';
import { engineBroke, engineUnfit } from '../engine.ts';
import { pause } from '../pause.ts';
import { createServerReports, type ServerReports } from '../server-reports.ts';
import { createStops } from '../stops.ts';
import { UpstreamError } from '../upstream.ts';
import { createWorkflowMemory, type WorkflowMemory } from '../workflow-memory.ts';
import { type ComfyuiClient, comfyuiClient } from './comfyui-client.ts';
import type { FileNames } from './model-files.ts';
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
  /** Names of weights that differ from those in workflows. */
  files?: FileNames | undefined;
  /** In US dollars. */
  gpu_hour_price?: number | undefined;
}

export interface ComfyuiServer extends Readonly<ServerOptions> {
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

const noServer = () => engineBroke('No GPU server can be reached right now. Try again in a while.');

export function comfyuiServers(
  options: readonly ServerOptions[],
  shorter: Partial<TimeLimits> = {},
): Servers {
  const timeLimits = { ...defaultTimeLimits, ...shorter };
  const servers = options.map((server) => openServer(server, timeLimits));
  const closing = new AbortController();
  const stops = createStops();
  let changed = Promise.withResolvers<void>();
  const notify = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const reports = createServerReports(() => servers.map(reportOf));
  const checkAll = async () => {
    await Promise.all(servers.map((server) => checkHealth(server, closing.signal, notify)));
    reports.compare();
  };
  const timer = setInterval(() => void checkAll(), timeLimits.healthMs).unref();
  void checkAll();
  return {
    timeLimits,
    slots: servers.reduce((sum, server) => sum + server.jobs, 0),
    async acquire(signal, avoid, workflow) {
      let noneSince: number | null = null;
      for (;;) {
        signal.throwIfAborted();
        const { best, isOneWorking } = chooseServer(servers, avoid, workflow);
        if (best) return holdServer(best, notify);
        noneSince = isOneWorking ? null : (noneSince ?? performance.now());
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
      return server ? holdServer(server, notify) : null;
    },
    stop: (server, promptId) => stops.add(stopPrompt(server.client, promptId)),
    list: () => servers,
    async close() {
      clearInterval(timer);
      await stops.wait();
      closing.abort();
      await Promise.all(servers.map((server) => server.client.close()));
    },
  };
}

function openServer(options: ServerOptions, { answerMs }: TimeLimits): ComfyuiServer {
  return {
    ...options,
    client: comfyuiClient(options.url, options.headers, answerMs),
    circuit: circuit(),
    running: 0,
    lastError: null,
    version: undefined,
    queue: null,
  };
}

/** Asks a server for its version and its queue. */
async function checkHealth(server: ComfyuiServer, closed: AbortSignal, onChange: () => void): Promise<void> {
  const before = server.circuit.state();
  try {
    server.version = await server.client.version(closed);
    server.circuit.reached();
    server.queue = await server.client.queueLength(closed).catch(() => null);
  } catch (error) {
    if (closed.aborted) return;
    noteError(server, error instanceof UpstreamError ? error.message : 'no answer');
    server.queue = null;
    server.circuit.unreached();
  }
  if (before !== server.circuit.state()) onChange();
}

/** Of the servers that may be used, the least busy one that has room. Throws where none of them ever will. */
function chooseServer(
  servers: readonly ComfyuiServer[],
  avoid: ReadonlySet<string>,
  workflow: string | undefined,
): { best: ComfyuiServer | undefined; isOneWorking: boolean } {
  const others = servers.filter((server) => !avoid.has(server.url));
  const left = others.filter((server) => problemOf(server) === null);
  if (others.length > 0 && left.length === 0) throw tooOld(others);
  const working = left.filter((server) => server.circuit.allows(server.running, workflow));
  const [best] = working
    .filter((server) => server.running < server.jobs)
    .toSorted((a, b) => (a.running + 1) / a.weight - (b.running + 1) / b.weight);
  if (!best && left.length === 0) throw noServer();
  return { best, isOneWorking: working.length > 0 };
}

function holdServer(server: ComfyuiServer, onRelease: () => void): HeldServer {
  server.running++;
  let held = true;
  return {
    server,
    release() {
      if (!held) return;
      held = false;
      server.running--;
      onRelease();
    },
  };
}

function reportOf(server: ComfyuiServer): Omit<ServerReport, 'since'> {
  return {
    address: new URL(server.url).host,
    state: problemOf(server) ? 'too old' : server.circuit.state(),
    running: server.running,
    queue: server.queue,
    version: server.version ?? null,
    reason: reasonOf(server),
    last_error: server.lastError?.what ?? null,
    last_error_at: server.lastError && isoTime(server.lastError.at),
  };
}

/** Why the server gets no jobs, or not all that it could have. */
function reasonOf(server: ComfyuiServer): string | null {
  const problem = problemOf(server);
  if (problem) return problem;
  const last = server.lastError?.what ?? 'unknown';
  const state = server.circuit.state();
  if (state === 'down') return last;
  if (state === 'resting') return `jobs failed there one after the other, the last by: ${last}`;
  const count = server.circuit.restingWorkflows();
  const resting = count === 1 ? '1 workflow' : `${count} workflows`;
  return count === 0 ? null : `it gets no jobs of ${resting} for a while: jobs failed one after the other`;
}

const problemOf = ({ version }: ComfyuiServer) => (version === undefined ? null : versionProblem(version));

function tooOld(old: readonly ComfyuiServer[]): AppError {
  const why = old.map((server) => `${new URL(server.url).host}: ${problemOf(server)}`).join('; ');
  return engineUnfit('The GPU servers of this installation are too old.', new Error(why));
}
