import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { type FamilyName, familyOf } from '@guise/contract/families/families.ts';
import { loadCatalog } from '../../catalog/catalog.ts';
import { ownFiltersFile } from '../../catalog/own-catalog.ts';
import { installedPacks } from '../../catalog/packs/installed-packs.ts';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Engine } from '../engine.ts';
import { createEngines } from '../engines.ts';
import type { EnginesPlan } from '../engines-file.ts';
import { faceFinder } from '../local/local-engine.ts';
import { engineFor, findEngine } from '../routing.ts';
import { reasonOf, runOnce, type SingleRun, spentOn } from '../run-once.ts';
import type { Compared, ComparedPicture } from './compared.ts';
import { comparisonPage } from './comparison-page.ts';

export interface ComparisonOptions {
  /** Two names of the engines file, or `local`. */
  engines: readonly [string, string];
  /** Numbers of the catalog. */
  filters: readonly number[];
  /** Paths. */
  photos: readonly string[];
  /** Where everything goes. */
  folder: string;
  signal: AbortSignal;
  progress(what: string, done: number, all: number): void;
  createLocal?: () => Engine;
}

/** The families that show what a filter makes of one person and of several, the plainest first. */
const families = {
  single: ['face_swap_v1', 'face_swap_v6', 'face_swap_v5'],
  group: ['multi_swap_v5', 'multi_swap_v4', 'multi_swap_v3'],
} as const satisfies Record<string, readonly FamilyName[]>;

/**
 * Has two engines make the same pictures, measures how like the photos their people are, and writes a page on which somebody
 * chooses the better ones without knowing whose they are.
 */
export async function compareEngines(
  config: Config,
  plan: EnginesPlan | null,
  options: ComparisonOptions,
): Promise<Compared[]> {
  const { folder, photos, filters, signal, progress } = options;
  const finder = options.createLocal?.() ?? faceFinder(config);
  const sides = options.engines.map((name) => ({
    name,
    engines: createEngines(config, planOf(plan, name), options),
  }));
  const find = filterFinder(config);
  await mkdir(folder, { recursive: true });
  const compared: Compared[] = [];
  const all = photos.length * filters.length * sides.length;
  let done = 0;
  try {
    for (const [i, photo] of photos.entries()) {
      const copy = `photo-${i + 1}${extname(photo)}`;
      await copyFile(photo, join(folder, copy));
      const people = (await finder.checkTemplate!(photo, signal)).faces.length;
      for (const number of filters) {
        const row: Compared = { photo: copy, people, filter: find(number).name, pictures: [] };
        const run = runOf(sides, find(number), { photo, people });
        for (const [j, { name, engines }] of sides.entries()) {
          progress(`${basename(photo)}, ${name}`, done++, all);
          const file = `${i + 1}-${number}-${j + 1}.png`;
          row.pictures.push(await makePicture(config, { name, engines, finder, file, run }, options));
        }
        compared.push(row);
      }
    }
  } finally {
    const opened = [...sides.flatMap(({ engines }) => engines), finder];
    await Promise.all(opened.map((engine) => engine.close()));
  }
  await writeFile(join(folder, 'comparison.json'), JSON.stringify(compared, null, 2));
  await writeFile(join(folder, 'comparison.html'), comparisonPage(compared));
  return compared;
}

/** The engine alone, as it is: no other stands in, and nothing is made twice. */
function planOf(plan: EnginesPlan | null, name: string): EnginesPlan | null {
  if (name === 'local') return null;
  if (!plan?.engines[name])
    throw new AppError(
      'USAGE',
      `There is no engine ${name}. There is: ${['local', ...Object.keys(plan?.engines ?? {})].join(', ')}.`,
    );
  const routes = plan.routes
    .filter(({ engine }) => engine === name)
    .map(({ fallback: _, share: __, ...route }) => ({ ...route, likeness: 0 }));
  return { ...plan, routes, local: false };
}

interface FoundFilter {
  ref: string;
  name: string;
  definition: NonNullable<SingleRun['filter']>['definition'];
}

function filterFinder(config: Config): (number: number) => FoundFilter {
  const catalog = loadCatalog(ownFiltersFile, installedPacks(config)).list('realistic');
  return (number) => {
    const found = catalog.find(({ id }) => id === number);
    if (!found) throw new AppError('USAGE', `There is no filter ${number} in the catalog.`);
    return { ref: String(number), name: found.name, definition: found.definition };
  };
}

/** A request that both sides make. */
function runOf(
  sides: readonly { name: string; engines: readonly Engine[] }[],
  filter: FoundFilter,
  { photo, people }: { photo: string; people: number },
): SingleRun {
  const isGroup = people > 1;
  const params = {
    gender: 1,
    ratio: isGroup ? 'landscape' : 'portrait',
    outpaint: false,
    quality_mode: 'v6',
  };
  const family = families[isGroup ? 'group' : 'single'].find((name) => {
    const demand = {
      family: name,
      params: {},
      filter: filter.definition,
      filterRef: filter.ref,
      images: [photo],
    };
    return sides.every(({ engines }) => findEngine(engines, demand));
  });
  if (!family)
    throw new AppError(
      'USAGE',
      `${sides.map(({ name }) => name).join(' and ')} do not both make pictures of ${isGroup ? 'several people' : 'one person'}.`,
    );
  return { id: newId(), family: familyOf(family).name, params, filter, photos: [photo] };
}

interface Making {
  name: string;
  engines: readonly Engine[];
  finder: Engine;
  file: string;
  run: SingleRun;
}

async function makePicture(
  config: Config,
  { name, engines, finder, file, run }: Making,
  { folder, signal }: ComparisonOptions,
): Promise<ComparedPicture> {
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 10) / 100;
  const nothing = { engine: name, file: null, gpu_seconds: null, cost_usd: null, likeness: [], strangers: 0 };
  try {
    const choose = (request: Parameters<typeof engineFor>[1]) => engineFor(engines, request);
    return await runOnce(config, run, { choose, signal, progress: () => {} }, async (made) => {
      const took = seconds();
      const picture = join(folder, file);
      await copyFile(made.result.file, picture);
      const seen = await finder.checkIdentity!({ photos: run.photos, picture, guest: null }, signal);
      return { ...nothing, file, seconds: took, ...spentOn(made), ...rounded(seen), error: null };
    });
  } catch (error) {
    signal.throwIfAborted();
    return { ...nothing, seconds: seconds(), error: reasonOf(error) };
  }
}

const rounded = ({ likeness, strangers }: { likeness: (number | null)[]; strangers: number }) => ({
  likeness: likeness.map((value) => value && Math.round(value * 100) / 100),
  strangers,
});
