import type { AppError } from '../../errors.ts';
import { type EngineAttempt, type EngineContext, engineBroke, engineUnfit } from '../engine.ts';
import { agreedError, failureError, type WorkflowFailure } from '../failure.ts';
import { unknownFailure } from '../failure-patterns.ts';
import { type ComfyuiServer, noteError, type Servers } from './servers.ts';

/** The servers that could not make a job, with what each said: the job does not go to them again. */
export interface Attempts {
  readonly workflow: string;
  avoided(): ReadonlySet<string>;
  /** The server would not have the workflow. */
  refused(server: ComfyuiServer, why: Error): void;
  /** The server answered, but not as ComfyUI does. */
  broke(server: ComfyuiServer, why: Error): void;
  /** A node raised. Throws when no other server could help. */
  raised(server: ComfyuiServer, failure: WorkflowFailure, gpuSeconds: number | null): void;
  /** The server made it: what others failed with speaks against them alone. */
  worked(server: ComfyuiServer, gpuSeconds: number | null): void;
  /** The job was there and is no longer, for a reason that says nothing of the workflow. */
  ended(server: ComfyuiServer, why: string): void;
  /** Throws how the job ends when no server is left to try. */
  assertServerLeft(): void;
}

export interface AttemptOptions {
  workflow: string;
  /** Whether the workflow is a custom filter's. */
  ofCaller: boolean;
  attempted: EngineContext['attempted'];
}

export function createAttempts(
  servers: Servers,
  { workflow, ofCaller, attempted }: AttemptOptions,
): Attempts {
  const tell = (server: ComfyuiServer, cause: string | null, gpuSeconds: number | null = null) =>
    attempted?.({ server: new URL(server.url).host, cause, ...costOf(server, gpuSeconds) });
  const refusals = new Map<string, Error>();
  const breaks = new Map<string, Error>();
  const failures = new Map<ComfyuiServer, WorkflowFailure>();
  const avoided = () =>
    new Set([...refusals.keys(), ...breaks.keys(), ...[...failures.keys()].map(({ url }) => url)]);

  return {
    workflow,
    avoided,
    refused(server, why) {
      noteError(server, 'refused workflow');
      tell(server, `it refused the workflow: ${why.message}`);
      refusals.set(server.url, why);
    },
    broke(server, why) {
      noteError(server, 'answered with an error');
      tell(server, `it answered with an error: ${why.message}`);
      server.circuit.failed();
      breaks.set(server.url, why);
    },
    raised(server, failure, gpuSeconds) {
      const { pattern, signature } = failure;
      tell(server, failure.cause.message, gpuSeconds);
      if (!pattern.otherServer) throw failureError(failure);
      noteError(server, pattern.name);
      const isUnknown = pattern === unknownFailure;
      const agreeing = [...failures].filter(([, other]) => isUnknown && other.signature === signature);
      if (agreeing.length > 0) {
        for (const [other] of agreeing) other.circuit.forgive(workflow);
        throw agreedError(failure, servers.memory.failed(workflow));
      }
      // Whose an unknown failure is shows only when another server has tried: until then it is the workflow's.
      const isAlone = servers.list().length === 1;
      if (pattern.rest && !(isUnknown && isAlone))
        server.circuit.failed({ workflow, alsoServer: !isUnknown && pattern.rest === 'server' });
      failures.set(server, failure);
    },
    ended: (server, why) => tell(server, why),
    worked(server, gpuSeconds) {
      tell(server, null, gpuSeconds);
      servers.memory.worked(workflow);
      server.circuit.worked(workflow);
      for (const [failed, { pattern }] of failures) if (pattern === unknownFailure) failed.circuit.blame();
    },
    assertServerLeft() {
      const tried = avoided();
      const last = [...failures.values()].at(-1);
      const isLeft = servers.list().some((server) => !tried.has(server.url));
      if (last && !servers.isOneUp(tried, workflow)) {
        const ofPhoto = last.pattern === unknownFailure && servers.memory.failed(workflow);
        throw failureError(last, { retry: last.pattern.retry || isLeft, ofCaller, ofPhoto });
      }
      if (!isLeft) throw notTaken();
    },
  };

  function notTaken(): AppError {
    const said = [...refusals, ...breaks].map(([url, { message }]) => `${new URL(url).host}: ${message}`);
    const cause = new Error(said.join('; '));
    return breaks.size === 0
      ? engineUnfit(
          'The workflow of this filter does not run on the GPU servers of this installation.',
          cause,
        )
      : engineBroke('The GPU servers did not take the job.', cause);
  }
}

/** A run that failed took its time on the GPU, too. */
function costOf(
  { gpu_hour_price }: ComfyuiServer,
  gpuSeconds: number | null,
): Pick<EngineAttempt, 'gpuSeconds' | 'cost'> {
  if (gpuSeconds === null) return {};
  return { gpuSeconds, ...(gpu_hour_price !== undefined && { cost: (gpuSeconds / 3600) * gpu_hour_price }) };
}
