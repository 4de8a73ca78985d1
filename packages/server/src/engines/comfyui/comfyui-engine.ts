import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { PhotoToSend } from '../../media/decoder.ts';
import { isContinuedElsewhere } from '../abort.ts';
import {
  type Engine,
  type EngineContext,
  type EngineResult,
  engineBroke,
  engineUnfit,
  isEngineFault,
} from '../engine.ts';
import type { EngineRoute } from '../engine-kind.ts';
import { readFailure } from '../failure.ts';
import { pause } from '../pause.ts';
import { type RunLimits, wholeLimit } from '../run-limits.ts';
import { UpstreamError } from '../upstream.ts';
import { bind, notesOf } from '../workflow/bind.ts';
import { type Prepared, photosToSend, prepare, uploadedAs } from '../workflow/prepare.ts';
import { finish } from '../workflow/result.ts';
import { workflowKey } from '../workflow-memory.ts';
import { type Attempts, createAttempts } from './attempts.ts';
import { folder } from './comfyui-client.ts';
import { type End, follow } from './follow.ts';
import { type Handle, readHandle } from './handle.ts';
import { withFileNames } from './model-files.ts';
import { savedFile } from './outputs.ts';
import { promptProgress } from './progress.ts';
import { type HeldServer, noteError, type Servers } from './servers.ts';
import { progressSocket } from './socket.ts';
import type { TimeLimits } from './time-limits.ts';

export interface ComfyuiEngineOptions extends EngineRoute {
  servers: Servers;
}

const maxBytes = { 'image/png': 96 * 1024 * 1024, 'video/mp4': 512 * 1024 * 1024 };
/** Ends after which the server may still have the prompt. */
const unfinished: readonly End['kind'][] = ['broken', 'away', 'overdue', 'overran'];
/** For the operator, how a run ended that nothing was made in. */
const endCauses: Record<Exclude<End['kind'], 'done' | 'raised'>, string> = {
  interrupted: 'somebody interrupted the run there',
  lost: 'it no longer knows the run: it was restarted, or somebody deleted the run',
  away: 'it stopped answering',
  broken: 'it no longer answers as ComfyUI does',
  overdue: 'it did not get to the job in time',
  overran: 'the run took longer than it may',
};
/** A run that its server lost is begun anew this often; the job's own time limit may be shorter. */
const maxLosses = 8;
/** A run whose server stopped answering is begun on another this often. */
const maxSilences = 1;
/** A run that ended well and left no file is begun anew this often: the next one costs as much GPU time again. */
const maxMisses = 1;

/** Begins runs on servers that can be killed at any moment, follows them, and fetches what they made. */
export function comfyuiEngine({
  servers,
  workflowOf,
  limitsOf,
  findFaces,
  ...options
}: ComfyuiEngineOptions): Engine {
  return {
    ...options,
    slots: servers.slots,
    servers: servers.reports,
    timeLimitOf: (family) => wholeLimit(limitsOf(family)),
    async run(request, context) {
      const job = await prepare(request, workflowOf(request), { findFaces, ...context });
      const attempts = createAttempts(servers, {
        workflow: workflowKey(job.definition),
        ofCaller: request.filter?.kind === 'workflow',
        attempted: context.attempted,
      });
      try {
        return await runOnServers(servers, job, context, { attempts, runLimits: limitsOf(request.family) });
      } catch (error) {
        throw await giveUp(error, context);
      }
    },
    close: () => servers.close(),
  };
}

async function runOnServers(
  servers: Servers,
  job: Prepared,
  context: EngineContext,
  { attempts, runLimits }: { attempts: Attempts; runLimits: RunLimits },
): Promise<EngineResult> {
  const { timeLimits } = servers;
  let earlier = readHandle(context.handle);
  let losses = 0;
  let misses = 0;
  let silences = 0;
  for (;;) {
    const suspect = earlier !== null;
    const run = earlier ? resumeRun(servers, earlier) : await startRun(servers, job, context, attempts);
    earlier = null;
    if (!run) continue;
    const { server } = run.held;
    try {
      const end = await followRun(run, job, context, { suspect, timeLimits, runLimits });
      if (end.kind === 'raised') {
        attempts.raised(server, readFailure(`${end.type} ${end.message}`, end.node), end.gpuSeconds);
        continue;
      }
      if (end.kind !== 'done') attempts.ended(server, endCauses[end.kind]);
      if (end.kind === 'done') {
        const result = await fetchResult(run, end, job, context, timeLimits);
        if (result) {
          attempts.worked(server, end.gpuSeconds);
          return result;
        }
        attempts.ended(server, 'the run left no file to fetch');
        if (++misses > maxMisses) throw engineUnfit('The workflow of this filter left no file to fetch.');
      }
      // It may still be at it, for nobody.
      if (unfinished.includes(end.kind)) servers.stop(server, run.handle.prompt);
      if (end.kind === 'overdue') throw engineUnfit('The GPU servers did not get to this job in time.');
      if (end.kind === 'overran') throw engineUnfit('The job took longer than it may and was stopped.');
      if (end.kind === 'broken' || (end.kind === 'away' && ++silences > maxSilences)) {
        noteError(server, 'stopped answering');
        server.circuit.failed();
        throw engineBroke('The GPU server stopped answering.');
      }
      if (end.kind !== 'done' && ++losses > maxLosses)
        throw engineBroke('The GPU server lost this job again and again.');
    } catch (error) {
      if (isCancelled(context)) servers.stop(server, run.handle.prompt);
      throw error;
    } finally {
      run.held.release();
    }
  }
}

const isCancelled = ({ signal }: EngineContext) => signal.aborted && !isContinuedElsewhere(signal);

/** Puts a job on a server: photos, then the handle, then the prompt. Null when that server would not have it. */
async function startRun(
  servers: Servers,
  job: Prepared,
  context: EngineContext,
  attempts: Attempts,
): Promise<Run | null> {
  attempts.assertServerLeft();
  const held = await servers.acquire(context.signal, attempts.avoided(), attempts.workflow);
  const { client, circuit, url } = held.server;
  const prompt = randomUUID();
  const run: Run = {
    held,
    handle: { kind: 'comfyui', server: url, prompt, client: randomUUID() },
    listening: null,
  };
  const drop = () => {
    run.listening?.socket.close();
    held.release();
    if (run.listening) servers.stop(held.server, prompt);
    return null;
  };
  try {
    // The next turn chooses among those that are fit.
    if (!(await servers.isFit(held.server, context.signal))) return drop();
    const upload = ({ bytes, extension }: PhotoToSend, i: number) =>
      client.upload(`${prompt}-${i}.${extension}`, bytes, context.signal);
    const names = await Promise.all(photosToSend(job).map(upload));
    const uploaded = uploadedAs(job, names);
    const definition = withFileNames(job.definition, held.server.files ?? {});
    const graph = bind(definition, job.request, job.shape, uploaded, `${folder}/${prompt}`);
    context.progress(0.03);
    await context.saveHandle(JSON.stringify(run.handle));
    run.listening = listen(run, job, context);
    await run.listening.socket.ready;
    const { refusal } = await client.queue(graph, run.handle, context.signal);
    if (refusal === null) return run;
    attempts.refused(held.server, new Error(refusal));
    return drop();
  } catch (error) {
    if (!(error instanceof UpstreamError)) {
      // Stopped on the way: the prompt may have arrived all the same.
      if (!isContinuedElsewhere(context.signal)) drop();
      run.listening?.socket.close();
      held.release();
      throw error;
    }
    // Whether a prompt arrived whose answer did not, the follower finds out: sending it again could run it twice.
    if (error.kind === 'unreachable' && run.listening) return run;
    if (error.kind === 'unreachable') {
      attempts.ended(held.server, `it could not be reached: ${error.message}`);
      circuit.unreached();
    } else if (error.kind === 'status' && error.status < 500) attempts.refused(held.server, error);
    else attempts.broke(held.server, error);
    return drop();
  }
}

interface Run {
  held: HeldServer;
  handle: Handle;
  listening: Listening | null;
}

interface Listening {
  socket: ReturnType<typeof progressSocket>;
  heardAt(): number;
  ended(): Promise<void>;
}

/** A run of an earlier process, if its server is still one of ours. */
function resumeRun(servers: Servers, handle: Handle): Run | null {
  const held = servers.hold(handle.server);
  return held && { held, handle, listening: null };
}

function listen({ held, handle }: Run, job: Prepared, context: EngineContext): Listening {
  const progress = promptProgress(job.definition.workflow, handle.prompt);
  const ended = Promise.withResolvers<void>();
  let heardAt = Number.NEGATIVE_INFINITY;
  const { client, headers } = held.server;
  const socket = progressSocket(client.socketAddress(handle.client), headers, (text) => {
    const change = progress.read(text);
    if (change === 'nothing') return;
    heardAt = performance.now();
    context.progress(0.04 + 0.9 * progress.done());
    if (change === 'ended') ended.resolve();
  });
  return { socket, heardAt: () => heardAt, ended: () => ended.promise };
}

async function followRun(
  run: Run,
  job: Prepared,
  context: EngineContext,
  options: { suspect: boolean; timeLimits: TimeLimits; runLimits: RunLimits },
): Promise<End> {
  run.listening ??= listen(run, job, context);
  const { server } = run.held;
  try {
    return await follow(server.client, run.handle.prompt, run.listening, context.signal, {
      ...options,
      onUnreachable: () => server.circuit.unreached(),
    });
  } finally {
    run.listening.socket.close();
  }
}

/** The finished file, or null when the server no longer has it or never made it for this run. */
async function fetchResult(
  { held, handle }: Run,
  end: End & { kind: 'done' },
  job: Prepared,
  context: EngineContext,
  timeLimits: TimeLimits,
): Promise<EngineResult | null> {
  const saved = savedFile(end.outputs, job.definition.bindings.output, handle.prompt);
  if (!saved) return null;
  const file = join(job.request.scratch, 'from-server');
  for (const giveUpAt = performance.now() + timeLimits.awayMs; ; ) {
    try {
      await held.server.client.view(saved, file, maxBytes[job.shape.type], context.signal);
      break;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (error.kind === 'too large')
        throw engineUnfit('The engine made a file that is far too large.', error);
      if (error.kind !== 'unreachable') return null;
      // A restart loses the memory of a run and keeps its file.
      if (performance.now() > giveUpAt) throw error;
      await pause(timeLimits.silentPollMs, context.signal);
    }
  }
  context.progress(0.95);
  const notes = notesOf(job.definition, job.request, job.shape);
  return finish(file, job.request.scratch, job.shape, notes, context);
}

/** What leaves here is a sentence of ours, and nothing is left behind that a retry would pick up and fail with again. */
async function giveUp(error: unknown, context: EngineContext): Promise<unknown> {
  if (context.signal.aborted) return context.signal.reason;
  const known =
    error instanceof UpstreamError
      ? engineBroke('The GPU server did not answer as it should.', error)
      : error;
  if (isEngineFault(known)) await context.saveHandle('');
  return known;
}
