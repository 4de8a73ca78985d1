import type { Command } from 'commander';
import type { EnginesPlan } from '../../../engines/engines-file.ts';
import { AppError } from '../../../errors.ts';
import { onStopSignal } from '../../../platform.ts';
import { example } from '../../example.ts';
import { jsonOption, wholeNumber } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { progressBar } from '../../progress-bar.ts';
import { readSettings } from '../../read-settings.ts';

interface CompareOptions {
  file?: string;
  filter: number[];
  photos?: string;
  photosLeave?: boolean;
  out: string;
  json?: boolean;
}

export function addEnginesCompare(engines: Command): void {
  engines
    .command('compare')
    .summary('Have two engines make the same pictures, and choose the better ones blindly.')
    .description(
      'Have two engines of the engines file, or one and this machine (local), make the same pictures of the same photos. Measures how like the photo each person is, who is missing, time and cost, and writes a page on which somebody chooses the better picture of each pair without knowing whose it is. A hosted engine charges for its pictures.',
    )
    .argument('<engine>', 'A name of the engines file, or local.')
    .argument('<other>', 'Another one.')
    .option('--file <file>', 'The engines file; without it, that of GUISE_ENGINES.')
    .option(
      '--filter <number...>',
      'Numbers of filters of the catalog.',
      (text: string, before: number[]) => [...before, wholeNumber('--filter', 1, 1_000_000)(text)],
      [],
    )
    .option('--photos <folder>', 'JPEG, PNG and WebP photos; without it, the sample photos.')
    .option('--photos-leave', 'Let your photos go to the company behind a hosted engine.')
    .option('--out <folder>', 'Where pictures and page go.', 'engines-compare')
    .addOption(jsonOption())
    .addHelpText('after', example('guise engines compare gpu local --filter 1 5 --photos ./guests'))
    .action(runEnginesCompare);
}

async function runEnginesCompare(one: string, other: string, options: CompareOptions): Promise<void> {
  const { photos: folder, out, json } = options;
  if (one === other) throw new AppError('USAGE', `Name two engines: ${one} is the same as itself.`);
  const { compareEngines } = await import('../../../engines/compare/compare-engines.ts');
  const { readEnginesFile } = await import('../../../engines/engines-file.ts');
  const config = await readSettings();
  const path = options.file ?? config.enginesFile;
  const plan = path === '' ? null : readEnginesFile(path, process.env);
  if (folder !== undefined && !options.photosLeave) await assertPhotosStay(plan, [one, other]);
  const photos = folder === undefined ? await samples() : await photosIn(folder);
  const stop = new AbortController();
  onStopSignal(() => stop.abort(new AppError('USAGE', 'Stopped.')));
  const bar = progressBar();
  const compared = await compareEngines(config, plan, {
    engines: [one, other],
    filters: options.filter.length > 0 ? options.filter : [1],
    photos,
    folder: out,
    signal: stop.signal,
    progress: (what, done, all) => bar.show(what, done, all),
  }).finally(() => bar.end());
  const lines = compared.flatMap(({ photo, filter, pictures }) =>
    pictures.map(
      ({ engine, file, seconds, likeness, error }) =>
        `${file ? 'ok  ' : 'BAD '} ${photo} ${filter} ${engine} ${seconds} s  ${error ?? `likeness ${likeness.map((value) => value ?? 'missing').join(', ')}`}`,
    ),
  );
  printResult(json, compared, [...lines, '', `Open ${out}/comparison.html to choose.`]);
  if (compared.some(({ pictures }) => pictures.some(({ error }) => error !== null))) process.exitCode = 1;
}

async function assertPhotosStay(plan: EnginesPlan | null, names: readonly string[]): Promise<void> {
  const { sendsPhotosTo } = await import('../../../engines/engine-kinds.ts');
  for (const name of names) {
    const engine = plan?.engines[name];
    const company = engine && sendsPhotosTo(engine);
    if (company)
      throw new AppError(
        'USAGE',
        `${name} sends photos to ${company}: --photos-leave allows that for yours.`,
      );
  }
}

async function samples(): Promise<string[]> {
  const { samplePhotos } = await import('@guise/engine/samples.ts');
  return [samplePhotos.onePerson, samplePhotos.twoPeople];
}

async function photosIn(folder: string): Promise<string[]> {
  const { readdir } = await import('node:fs/promises');
  const { join } = await import('node:path');
  const names = (await readdir(folder)).filter((name) => /\.(jpe?g|png|webp)$/i.test(name)).toSorted();
  if (names.length === 0) throw new AppError('USAGE', `There is no photo in ${folder}.`);
  return names.map((name) => join(folder, name));
}
