import { AppError } from '../../errors.ts';
import { abortReasonOf } from '../abort.ts';
import { engineBroke, engineUnfit } from '../engine.ts';
import type { ChildEnd, ChildWork, FromChild, ToChild, WorkOf, WorkResults } from './child-messages.ts';
import type { EngineChild } from './engine-child.ts';
import type { RunnerContext } from './runner.ts';

/** What a cancelled child gets to stop by itself. */
const abortGraceMs = 1500;

/** Hands work to a child and follows it to its end. */
export function runInChild<Type extends ChildWork['type']>(
  child: EngineChild,
  work: WorkOf<Type>,
  context: Omit<RunnerContext, 'handle'>,
): Promise<WorkResults[Type]> {
  const { process } = child;
  return new Promise((resolve, reject) => {
    let killTimer: NodeJS.Timeout | undefined;
    const number = ++child.works;
    const abort = () => {
      child.abort({ work: number, reason: abortReasonOf(context.signal) ?? 'cancelled' });
      killTimer = setTimeout(() => process.kill('SIGKILL'), abortGraceMs);
    };
    const end = (settle: () => void) => {
      clearTimeout(killTimer);
      context.signal.removeEventListener('abort', abort);
      process.off('message', receive);
      process.off('exit', exited);
      if (context.signal.aborted) reject(context.signal.reason);
      else settle();
    };
    const exited = (code: number | null, signal: string | null) =>
      end(() => reject(exitError(child, `exit ${code ?? signal}`)));
    const receive = (message: FromChild) => {
      if (message.type === 'progress') context.progress(message.done);
      if (message.type === 'handle')
        void context.saveHandle(message.handle).catch(() => process.kill('SIGKILL'));
      if ('memory' in message) child.memory = message.memory;
      if (message.type === 'result') end(() => resolve(message.result as WorkResults[Type]));
      if (message.type === 'error') end(() => reject(errorOf(message)));
    };
    process.on('message', receive);
    process.once('exit', exited);
    context.signal.addEventListener('abort', abort);
    if (!process.connected) exited(process.exitCode, process.signalCode);
    else process.send({ number, work } satisfies ToChild, () => {});
  });
}

/** A crash or a stopped process may be the machine's; what takes all memory once will take it again. */
function exitError({ killedFor, memory }: EngineChild, exit: string): AppError {
  if (killedFor === 'memory') {
    const cause = new Error(`the engine’s process held ${Math.round(memory / 2 ** 20)} MB`);
    return engineUnfit('This needed more memory than the server allows and was stopped.', cause);
  }
  const sentence =
    killedFor === 'silence'
      ? 'The engine stopped answering in the middle of the work.'
      : 'The engine stopped in the middle of the work.';
  return engineBroke(sentence, new Error(exit));
}

function errorOf(message: ChildEnd & { type: 'error' }): AppError {
  return new AppError(message.code, message.sentence, {
    retryable: message.retryable,
    cause: new Error(message.trace),
  });
}
