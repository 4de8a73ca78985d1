import { copyFile, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { familyOf } from '@guise/contract/families/families.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import { type Sentences, sentencesOf } from '@guise/contract/notes.ts';
import { loadCatalog } from '../catalog/catalog.ts';
import { ownCatalogDir, ownFiltersFile } from '../catalog/own-catalog.ts';
import { installedPacks } from '../catalog/packs/installed-packs.ts';
import type { Config } from '../config.ts';
import type { Engine } from './engine.ts';
import { createEngines } from './engines.ts';
import type { EnginesPlan, RoutePlan } from './engines-file.ts';
import { reasonOf, runOnce, type Spent, spentOn } from './run-once.ts';

/** How a workflow did on the sample photo. */
export interface Trial extends Partial<Sentences>, Spent {
  engine: string;
  workflow: string;
  family: string;
  seconds: number;
  /** What it made; null where it failed. */
  file: string | null;
  error: string | null;
}

export interface TrialOptions {
  /** Where the pictures go. */
  folder: string;
  signal: AbortSignal;
  progress(name: string, done: number): void;
  /** Told of each as soon as it has ended. */
  ended?(trial: Trial): void;
}

/** Runs every workflow of the plan's routes once, one after the other, without falling back to this machine. */
export async function tryRoutes(config: Config, plan: EnginesPlan, options: TrialOptions): Promise<Trial[]> {
  const routes = plan.routes
    .filter(({ workflows }) => workflows.length > 0)
    // Whoever makes the others of a share may not be in the plan.
    .map(({ fallback: _fallback, share: _share, ...route }) => route);
  const engines = createEngines(config, { ...plan, routes, local: false });
  const samples = sampleFilters(config);
  await mkdir(options.folder, { recursive: true });
  const trials: Trial[] = [];
  try {
    for (const [i, route] of routes.entries())
      for (const [j, { bindings }] of route.workflows.entries()) {
        const name = route.files?.[j]?.name ?? `workflow-${i + 1}-${j + 1}`;
        const trial = { engine: engines[i]!, number: i + 1, route, name, photos: bindings.photos.length };
        const ended = await tryWorkflow(config, trial, samples(route), options);
        trials.push(ended);
        options.ended?.(ended);
      }
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
  }
  return trials;
}

interface PlannedTrial {
  engine: Engine;
  /** Of the route: another one may have the same workflow. */
  number: number;
  route: RoutePlan;
  name: string;
  photos: number;
}

interface SampleFilter {
  ref: string;
  definition: FilterDefinition;
}

/** A filter that a route serves: of those it names, or the first of its family's catalog. */
function sampleFilters(config: Config): (route: RoutePlan) => SampleFilter | null {
  const catalog = loadCatalog(ownFiltersFile, installedPacks(config));
  return ({ families: [family], filters, kinds }) => {
    const list = familyOf(family!).filter?.catalog;
    const found =
      list &&
      catalog
        .list(list)
        .find(
          ({ id, definition }) =>
            (!filters || filters.includes(String(id))) && (!kinds || kinds.includes(definition.kind)),
        );
    if (found) return { ref: String(found.id), definition: found.definition };
    // The catalog has no templates: a sample photo stands for one.
    return kinds?.includes('template') ? { ref: 'template', definition: sampleTemplate } : null;
  };
}

const sampleTemplate = { kind: 'template', image: join(ownCatalogDir, 'samples', 'two-people.jpg') } as const;

const samplePrompt = 'on a beach at sunset, gentle wind in the hair';

async function tryWorkflow(
  config: Config,
  { engine, number, route, name, photos }: PlannedTrial,
  filter: SampleFilter | null,
  { folder, signal, progress }: TrialOptions,
): Promise<Trial> {
  const family = familyOf(route.families[0]!);
  const choices = { gender: 1, ratio: 'portrait', outpaint: false, quality_mode: 'v6' };
  const motion = { model: route.models?.[0] ?? 'advanced', duration: '4s' };
  const params = { ...choices, ...motion, prompt: samplePrompt, seed: 1 };
  const sample = family.mode === 'group' && family.output === 'image' ? 'two-people.jpg' : 'astronaut.jpg';
  const began = performance.now();
  const trial = { engine: route.engine, workflow: name, family: family.name };
  const seconds = () => Math.round((performance.now() - began) / 100) / 10;
  const photo = join(ownCatalogDir, 'samples', sample);
  const run = {
    id: `check-${name}`,
    family: family.name,
    params,
    filter,
    photos: Array.from({ length: photos }, () => photo),
  };
  const options = { choose: () => engine, signal, progress: (done: number) => progress(name, done) };
  try {
    return await runOnce(config, run, options, async (made) => {
      progress(name, 1);
      const { result } = made;
      const extension = result.type === 'video/mp4' ? 'mp4' : 'png';
      const parts = [route.engine, number, basename(name, '.json'), family.name];
      const file = join(folder, `${parts.join('-')}.${extension}`);
      await copyFile(result.file, file);
      return { ...trial, ...spentOn(made), seconds: seconds(), file, error: null, ...sentencesOf(result) };
    });
  } catch (error) {
    signal.throwIfAborted();
    return { ...trial, ...spentOn({ attempts: [] }), seconds: seconds(), file: null, error: reasonOf(error) };
  }
}
