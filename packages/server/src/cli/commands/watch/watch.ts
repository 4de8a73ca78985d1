import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { AppError } from '../../../errors.ts';
import type { WatchCounts, WatchMessage } from '../../../watch/watch-folder.ts';
import { example } from '../../example.ts';
import { stopOnSignal } from '../../stop-on-signal.ts';
import { addWatchInstall } from './watch-install.ts';
import {
  addWatchOptions,
  readWatchChoice,
  requireApiKey,
  type WatchCommandOptions,
} from './watch-options.ts';
import { addWatchUninstall } from './watch-uninstall.ts';

export function addWatch(guise: Command): void {
  const watch = addWatchOptions(guise.command('watch'))
    .enablePositionalOptions()
    .description('Make a picture of each photo that appears in a folder, exactly once.')
    .addOption(new Option('--key-file <file>', 'File with the key, in place of GUISE_API_KEY.'))
    .addHelpText('after', '\nThe key of the account is read from the environment variable GUISE_API_KEY.')
    .addHelpText('after', example('guise watch ./photos ./pictures --filter 12 --gender group --print'))
    .action(runWatch);
  for (const add of [addWatchInstall, addWatchUninstall]) add(watch);
}

interface RunWatchOptions extends WatchCommandOptions {
  keyFile?: string;
}

async function runWatch(input: string, output: string | undefined, options: RunWatchOptions): Promise<void> {
  const folders = readWatchChoice(input, output, options);
  const { print, jobs, url, gender, ratio, kind } = options;
  const choice = { ...(gender && { gender }), ...(ratio && { ratio }), ...(kind && { kind }) };
  const apiKey = requireApiKey(await readKey(options.keyFile));
  const { Guise } = await import('@guise/client/guise.ts');
  const { printFile } = await import('../../../watch/print-file.ts');
  const { watchFolder } = await import('../../../watch/watch-folder.ts');
  const { watchSubfolders } = await import('../../../watch/watch-subfolders.ts');
  const { assertFilterExists } = await import('../../../watch/submit-photo.ts');
  const guise = new Guise({ baseUrl: url, apiKey });
  const stop = new AbortController();
  const { filter } = folders;
  const shared = {
    input: folders.input,
    output: folders.output,
    guise,
    atOnce: jobs,
    report: reporter(process.stderr),
    signal: stop.signal,
    ...(print !== undefined && {
      print: (file: string) => printFile(file, print === true ? undefined : print),
    }),
  };
  if (filter !== null) await assertFilterExists(guise, { ...choice, filter }, stop.signal);
  const watching =
    filter === null
      ? watchSubfolders({ ...shared, choice })
      : watchFolder({ ...shared, choice: { ...choice, filter } });
  stopOnSignal({
    async stop() {
      stop.abort();
      await watching;
    },
  });
  process.stderr.write(
    `Watching ${input}. Pictures go to ${folders.output}. Ctrl-C stops; nothing is lost.\n`,
  );
  await watching;
}

async function readKey(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return process.env.GUISE_API_KEY;
  return readFile(file, 'utf8').catch((error) => {
    throw new AppError('USAGE', `The key cannot be read: ${error.message}.`);
  });
}

/** What happened, a line each; on a terminal, how many there are stands below. */
function reporter(out: NodeJS.WriteStream): (counts: WatchCounts, message?: WatchMessage) => void {
  let shown = '';
  return ({ made, failed, inWork, waiting }, message) => {
    const clear = out.isTTY ? '\r\x1b[K' : '';
    if (message) out.write(`${clear}${lineOf(message)}\n`);
    if (!out.isTTY) return;
    const line = `${made} made, ${failed} failed, ${inWork} in work, ${waiting} waiting`;
    if (line === shown && !message) return;
    shown = line;
    out.write(`${clear}${line}`);
  };
}

function lineOf(message: WatchMessage): string {
  switch (message.kind) {
    case 'made':
      return `${message.photo}: ${message.result}`;
    case 'away':
      return message.sentence === undefined
        ? `The folder ${message.folder} is not there. Waiting for it.`
        : `The folder ${message.folder} cannot be watched: ${message.sentence}. Waiting for it.`;
    case 'beside':
      return `Photos in ${message.folder} itself are left there: put them into one of its folders, whose name is their filter.`;
    case 'failed':
      return `${message.photo}: failed. ${message.sentence}`;
    case 'delayed':
      return `${message.photo}: not yet. ${message.sentence}`;
    case 'not printed':
      return `${message.photo}: not printed. ${message.sentence}`;
  }
}
