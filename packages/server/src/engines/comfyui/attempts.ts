import type { AppError } from '../../errors.ts';
import { engineBroke, engineUnfit } from '../engine.ts';
import { agreedError, failureError, type WorkflowFailure } from '../failure.ts';
import { unknownFailure } from '../failure-patterns.ts';
import type { ComfyuiServer, Servers } from './servers.ts';

/** The servers that could not make a job, with what each said: the job does not go to them again. */
export interface Attempts {
  readonly workflow: string;
  avoided(): ReadonlySet<string>;
  /** The server would not have the workflow. */
  refused(server: ComfyuiServer, why: Error): void;
  /** The server answered, but not as ComfyUI does. */
  broke(server: ComfyuiServer, why: Error): void;
  /** A node raised. Throws when no other server could help. */
  raised(server: ComfyuiServer, failure: WorkflowFailure): void;
  /** The server made it: what others failed with speaks against them alone. */
  worked(server: ComfyuiServer): void;
  /** Throws how the job ends when no server is left to try. */
  assertServerLeft(): void;
}

export function createAttempts(
  servers: Servers,
  { workflow, ofCaller }: { workflow: string; ofCaller: boolean },
): Attempts {
  const refusals = new Map<string, Error>();
  const breaks = new Map<string, Error>();
  const failures = new Map<ComfyuiServer, WorkflowFailure>();
  const avoided = () =>
    new Set([...refusals.keys(), ...breaks.keys(), ...[...failures.keys()].map(({ url }) => url)]);

  return {
    workflow,
    avoided,
    refused(server, why) {
      server.lastError = 'refused workflow';
      refusals.set(server.url, why);
    },
    broke(server, why) {
      server.lastError = 'answered with an error';
      server.circuit.failed();
      breaks.set(server.url, why);
    },
    raised(server, failure) {
      const { pattern, signature } = failure;
      if (!pattern.otherServer) throw failureError(failure);
      server.lastError = pattern.name;
      const isUnknown = pattern === unknownFailure;
      const agreeing = [...failures].filter(([, other]) => isUnknown && other.signature === signature);
      if (agreeing.length > 0) {
        for (const [other] of agreeing) other.circuit.forgive(workflow);
        throw agreedError(failure);
      }
      // Whose an unknown failure is shows only when another server has tried: until then it is the workflow's.
      const isAlone = servers.list().length === 1;
      if (pattern.rest && !(isUnknown && isAlone))
        server.circuit.failed({ workflow, alsoServer: !isUnknown && pattern.rest === 'server' });
      failures.set(server, failure);
    },
    worked(server) {
      server.circuit.worked(workflow);
      for (const [failed, { pattern }] of failures) if (pattern === unknownFailure) failed.circuit.blame();
    },
    assertServerLeft() {
      const tried = avoided();
      const last = [...failures.values()].at(-1);
      const isLeft = servers.list().some((server) => !tried.has(server.url));
      if (last && !servers.isOneUp(tried, workflow))
        throw failureError(last, { retry: last.pattern.retry || isLeft, ofCaller });
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
