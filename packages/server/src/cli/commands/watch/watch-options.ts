import { join, relative, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { AppError } from '../../../errors.ts';
import type { RunKind } from '../../../watch/submit-photo.ts';
import { oneOf, requireOption, wholeNumber } from '../../options.ts';

const genders = ['female', 'male', 'girl', 'boy', 'group'] as const;
const ratios = ['portrait', 'landscape', 'square'] as const;
const kinds = ['face-swap', 'group', 'stylized'] as const satisfies RunKind[];

export interface WatchCommandOptions {
  filter?: string;
  subfolders?: true;
  gender?: (typeof genders)[number];
  ratio?: (typeof ratios)[number];
  kind?: (typeof kinds)[number];
  print?: string | true;
  jobs: number;
  url: string;
}

/** What `guise watch` and `guise watch install` take. */
export function addWatchOptions(command: Command): Command {
  return command
    .argument('<in>', 'Folder that photos appear in. They are moved to its folders done and failed.')
    .argument('[out]', 'Folder for the pictures; the folder pictures in <in> by default.')
    .addOption(
      new Option(
        '--filter <filter>',
        'Number (12, realistic 3), id or name of a filter, or id or project of an alias. Required without --subfolders.',
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
      new Option(
        '--kind <kind>',
        'Which catalog a number or a name is of; by default that of face swap, or the one that has the name.',
      )
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
    .addOption(new Option('--url <url>', 'Server.').default('http://127.0.0.1:8080').env('GUISE_URL'));
}

/** The folders as absolute paths, and the filter; null where subfolders name theirs. */
export function readWatchChoice(
  input: string,
  output: string | undefined,
  { subfolders, filter }: WatchCommandOptions,
): { input: string; output: string; filter: string | null } {
  if (subfolders && filter !== undefined)
    throw new AppError('USAGE', 'Give --filter or --subfolders, not both: subfolders name their filters.');
  const folders = { input: resolve(input), output: resolve(output ?? join(input, 'pictures')) };
  if (relative(folders.input, folders.output) === '')
    throw new AppError(
      'USAGE',
      'The pictures need another folder: in that of the photos, each would be a photo.',
    );
  return { ...folders, filter: subfolders ? null : requireOption('--filter', filter) };
}

export function requireApiKey(key: string | undefined): string {
  if (key?.trim()) return key.trim();
  throw new AppError('USAGE', 'Set GUISE_API_KEY to the key of the account that pays.');
}
