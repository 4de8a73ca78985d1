import { type Command, Option } from 'commander';
import { AppError } from '../../errors.ts';
import type { RunKind } from '../../watch/submit-photo.ts';
import type { WatchCounts, WatchMessage } from '../../watch/watch-folder.ts';
import { example } from '../example.ts';
import { oneOf, requireOption, wholeNumber } from '../options.ts';
import { stopOnSignal } from '../stop-on-signal.ts';

const genders = ['female', 'male', 'girl', 'boy', 'group'] as const;
const ratios = ['portrait', 'landscape', 'square'] as const;
const kinds = ['face-swap', 'group', 'stylized'] as const satisfies RunKind[];

export function addWatch(guise: Command): void {
  guise
    .command('watch')
    .description('Make a picture of each photo that appears in a folder, exactly once.')
    .argument('<in>', 'Folder that photos appear in. They are moved to its folders done and failed.')
    .argument('<out>', 'Folder for the pictures.')
    .addOption(
      new Option(
        '--filter <filter>',
        'Alias by its id or project, custom filter by its id, or number of the catalog. Required without --subfolders.',
      ),
    )
    .addOption(
      new Option(
        '--subfolders',
        'Watch the folders inside of <in>; the name of each is the filter of its photos, and the folder of their pictures in <out>.',
      ),
    )
    .addOption(
      new Option('--gender <gender>', 'Who is in the photos; told from each photo by default.')
        .choices(genders)
        .argParser(oneOf('--gender', genders)),
    )
    .addOption(
      new Option('--ratio <ratio>', 'Shape of the pictures.')
        .choices(ratios)
        .argParser(oneOf('--ratio', ratios)),
    )
    .addOption(
      new Option('--kind <kind>', 'For numbers of the catalogs of groups; filters and aliases know theirs.')
        .choices(kinds)
        .argParser(oneOf('--kind', kinds)),
    )
    .addOption(
      new Option('--print [printer]', 'Print each picture once, on the default printer or this one.'),
    )
    .addOption(
      new Option('--jobs <count>', 'Photos in work at once, in each folder.')
        .default(4)
        .argParser(wholeNumber('--jobs', 1, 64)),
    )
    .addOption(new Option('--url <url>', 'Server.').default('http://127.0.0.1:8080').env('GUISE_URL'))
    .addHelpText('after', '\nThe key of the account is read from the environment variable GUISE_API_KEY.')
    .addHelpText('after', example('guise watch ./photos ./pictures --filter 12 --gender group --print'))
    .action(runWatch);
}

interface WatchCommandOptions {
  filter?: string;
  subfolders?: true;
  gender?: (typeof genders)[number];
  ratio?: (typeof ratios)[number];
  kind?: (typeof kinds)[number];
  print?: string | true;
  jobs: number;
  url: string;
}

async function runWatch(input: string, output: string, options: WatchCommandOptions): Promise<void> {
  const { print, jobs, url, subfolders, filter: named, ...choice } = options;
  if (subfolders && named !== undefined)
    throw new AppError('USAGE', 'Give --filter or --subfolders, not both: subfolders name their filters.');
  const filter = subfolders ? null : requireOption('--filter', named);
  const apiKey = process.env.GUISE_API_KEY?.trim();
  if (!apiKey) throw new AppError('USAGE', 'Set GUISE_API_KEY to the key of the account that pays.');
  const { Guise } = await import('@guise/client/guise.ts');
  const { printFile } = await import('../../watch/print-file.ts');
  const { watchFolder } = await import('../../watch/watch-folder.ts');
  const { watchSubfolders } = await import('../../watch/watch-subfolders.ts');
  const { findFilter } = await import('../../watch/submit-photo.ts');
  const guise = new Guise({ baseUrl: url, apiKey });
  const stop = new AbortController();
  const shared = {
    input,
    output,
    guise,
    atOnce: jobs,
    report: reporter(process.stderr),
    signal: stop.signal,
    ...(print !== undefined && {
      print: (file: string) => printFile(file, print === true ? undefined : print),
    }),
  };
  if (filter !== null) await findFilter(guise, { ...choice, filter }, stop.signal).catch(ignoreAbsence);
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
  process.stderr.write(`Watching ${input}. Pictures go to ${output}. Ctrl-C stops; nothing is lost.\n`);
  await watching;
}

/** A server that is away may come; a filter or a key that it refuses is told at once. */
function ignoreAbsence(error: unknown): void {
  if (!(error instanceof Error && 'retryable' in error && error.retryable === true)) throw error;
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
    case 'failed':
      return `${message.photo}: failed. ${message.sentence}`;
    case 'delayed':
      return `${message.photo}: not yet. ${message.sentence}`;
    case 'not printed':
      return `${message.photo}: not printed. ${message.sentence}`;
  }
}
