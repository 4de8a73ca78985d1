import { realpathSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { AppError } from '../../../errors.ts';
import type { WatchService } from '../../../watch/service/service-description.ts';
import { example } from '../../example.ts';
import {
  addWatchOptions,
  readWatchChoice,
  requireApiKey,
  type WatchCommandOptions,
} from './watch-options.ts';

export interface ServiceOptions {
  name: string;
  system?: true;
}

const atStartHelp =
  'Start with the machine, before anybody signs in. Needs an administrator. By default it starts when you sign in.';

export const serviceOptions = (systemHelp = atStartHelp) => [
  new Option('--name <name>', 'What the service is called; each folder needs a name of its own.').default(
    'guise-watch',
  ),
  new Option('--system', systemHelp),
];

export function addWatchInstall(watch: Command): void {
  const install = addWatchOptions(watch.command('install')).description(
    'Have the system run guise watch: systemd on Linux, launchd on macOS, Task Scheduler on Windows.',
  );
  for (const option of serviceOptions()) install.addOption(option);
  install
    .addOption(new Option('--show', 'Print the definition, and write and start nothing.'))
    .addHelpText('after', '\nThe key of the account is read from the environment variable GUISE_API_KEY')
    .addHelpText('after', 'and kept in a file that only its owner can read.')
    .addHelpText('after', example('guise watch install ./photos ./pictures --filter 12 --print'))
    .action(runInstall);
}

interface InstallOptions extends WatchCommandOptions, ServiceOptions {
  show?: true;
}

async function runInstall(input: string, output: string | undefined, options: InstallOptions): Promise<void> {
  const choice = readWatchChoice(input, output, options);
  const { describeService, installService } = await import('../../../watch/service/watch-service.ts');
  const service: WatchService = {
    name: options.name,
    atStart: options.system === true,
    watch: [...programWords(), 'watch', choice.input, choice.output, ...optionWords(options)],
    photos: choice.input,
  };
  const description = describeService(service);
  if (options.show) {
    process.stdout.write(description.text);
    return;
  }
  const apiKey = requireApiKey(process.env.GUISE_API_KEY);
  if (choice.filter !== null) {
    const { Guise } = await import('@guise/client/guise.ts');
    const { assertFilterExists } = await import('../../../watch/submit-photo.ts');
    const guise = new Guise({ baseUrl: options.url, apiKey });
    await assertFilterExists(guise, { ...options, filter: choice.filter }, AbortSignal.timeout(10_000));
  }
  await installService(description, apiKey);
  process.stdout.write(
    [
      `${options.name} watches ${choice.input}. Pictures go to ${choice.output}.`,
      `definition: ${description.file}`,
      `key:        ${description.keyFile}`,
      `messages:   ${description.messages}`,
      ...(description.hint ? [description.hint] : []),
      '',
    ].join('\n'),
  );
}

/** How this process was started, as the service will start. */
function programWords(): string[] {
  const script = realpathSync(process.argv[1]!);
  if (/[/\\]_npx[/\\]/.test(script))
    throw new AppError(
      'USAGE',
      'This Guise is in a cache that npm empties. Install it into a folder first: docs/installing.md.',
    );
  return [process.execPath, script];
}

function optionWords({
  filter,
  subfolders,
  gender,
  ratio,
  kind,
  print,
  jobs,
  url,
}: InstallOptions): string[] {
  const given = { filter, gender, ratio, kind, jobs, url, print: print === true ? undefined : print };
  return [
    ...Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
    ...(subfolders ? ['--subfolders'] : []),
    ...(print === true ? ['--print'] : []),
  ];
}
