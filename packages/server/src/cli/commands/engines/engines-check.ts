import type { Command } from 'commander';
import { AppError } from '../../../errors.ts';
import { onStopSignal } from '../../../platform.ts';
import { example } from '../../example.ts';
import { jsonOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { progressBar } from '../../progress-bar.ts';
import { readSettings } from '../../read-settings.ts';
import { trialLine } from './trial-line.ts';

export function addEnginesCheck(engines: Command): void {
  engines
    .command('check')
    .summary('Run every workflow of the engines file once on a sample photo.')
    .description(
      'Run every workflow of the engines file once on a sample photo, and keep what they make. Ends with 1 where one fails.',
    )
    .argument('[file]', 'The engines file; without it, that of GUISE_ENGINES.')
    .option('--out <folder>', 'Where the pictures and videos go.', 'engines-check')
    .addOption(jsonOption())
    .addHelpText('after', example('guise engines check engines.json --out ./tried'))
    .action(runEnginesCheck);
}

async function runEnginesCheck(
  file: string | undefined,
  { out, json }: { out: string; json?: boolean },
): Promise<void> {
  const { readEnginesFile } = await import('../../../engines/engines-file.ts');
  const { tryRoutes } = await import('../../../engines/try-routes.ts');
  const config = await readSettings();
  const path = file ?? config.enginesFile;
  if (path === '')
    throw new AppError(
      'USAGE',
      'Name the engines file, or set GUISE_ENGINES. guise engines init writes one.',
    );
  const stop = new AbortController();
  onStopSignal(() => stop.abort(new AppError('USAGE', 'Stopped.')));
  const bar = progressBar();
  const trials = await tryRoutes(config, readEnginesFile(path, process.env), {
    folder: out,
    signal: stop.signal,
    progress: (name, done) => bar.show(`${name} %`, Math.round(done * 100), 100),
  }).finally(() => bar.end());
  if (trials.length === 0) throw new AppError('USAGE', `${path} has no route with a workflow.`);
  printResult(json, trials, trials.map(trialLine));
  if (trials.some(({ error }) => error !== null)) process.exitCode = 1;
}
