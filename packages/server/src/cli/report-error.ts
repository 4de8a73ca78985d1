import { RenderError } from '@guise/engine/runtime/render-error.ts';
import { CommanderError } from 'commander';
import { AppError } from '../errors.ts';

/** What the command line does not know: an unknown command or option, or an argument too many. */
const notUnderstood = ['commander.unknownCommand', 'commander.unknownOption', 'commander.excessArguments'];

/** Prints one sentence and returns the exit code. An error that has no sentence is a bug and is thrown again. */
export function reportError(error: unknown): number {
  if (error instanceof CommanderError) return reportUsage(error);
  if (!(error instanceof AppError || error instanceof RenderError)) throw error;
  console.error(error.message);
  return 1;
}

function reportUsage({ code, exitCode, message }: CommanderError): number {
  if (code === 'commander.version') return 0;
  // Help was printed: because it was asked for, or because the command stopped before its subcommand.
  if (code === 'commander.helpDisplayed') return 0;
  if (code === 'commander.help') return exitCode === 0 ? 0 : 2;
  console.error(`${sentenceOf(message)} Add --help to see what there is.`);
  return notUnderstood.includes(code) ? 2 : 1;
}

/** "error: unknown option '--mail'\n(Did you mean --email?)" as sentences. */
function sentenceOf(message: string): string {
  const [problem = '', suggestion = ''] = message.replace(/^error: /, '').split('\n');
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1).replace(/\.$/, '')}.`;
  return suggestion === '' ? sentence : `${sentence} ${suggestion.replaceAll(/[()]/g, '')}`;
}
