import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Family, familyOf } from '@guise/contract/families/families.ts';
import { parseRequest } from '@guise/contract/families/requests.ts';
import { videoDurations } from '@guise/contract/families/video.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import sharp from 'sharp';
import { loadCatalog } from '../../packages/server/src/catalog/catalog.ts';
import { createPromptWriter } from '../../packages/server/src/catalog/generator-prompt.ts';
import { ownCatalogDir, ownFiltersFile } from '../../packages/server/src/catalog/own-catalog.ts';
import { installedPacks } from '../../packages/server/src/catalog/packs/installed-packs.ts';
import { readConfig } from '../../packages/server/src/config.ts';
import { referenceWorkflows } from '../../packages/server/src/engines/comfyui/setup/choose-workflows.ts';
import { decodingTasks } from '../../packages/server/src/engines/decoding/child/decoding-runner.ts';
import { faceFinder } from '../../packages/server/src/engines/local/local-engine.ts';
import { runLimits } from '../../packages/server/src/engines/run-limits.ts';
import { bind } from '../../packages/server/src/engines/workflow/bind.ts';
import { photosToSend, prepare, uploadedAs } from '../../packages/server/src/engines/workflow/prepare.ts';

/**
 * Writes what Guise would send to ComfyUI for each reference workflow, and for each duration of a video:
 * `npm run tool -- tools/gpu/write-prompts.ts FOLDER`. The photos go to `FOLDER/input/guise`, the bound prompts to
 * `FOLDER/prompts.json`. tools/gpu/run_workflows.py runs them.
 */

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('Usage: npm run tool -- tools/gpu/write-prompts.ts FOLDER');
  process.exit(2);
}
const photosFolder = join(resolve(folder), 'input', 'guise');
await mkdir(photosFolder, { recursive: true });
const config = readConfig(process.env);
const packs = installedPacks(config);
const catalog = loadCatalog(ownFiltersFile, packs);
const writePrompt = createPromptWriter(packs, catalog);
const faces = faceFinder(config);

const sample = (name: string) => join(ownCatalogDir, 'samples', name);
const template = { kind: 'template', image: sample('two-people.jpg') } as const;

/** In the shape of a wide video: of the shapes that Guise makes, none has more pixels. */
const wideFrame = join(resolve(folder), 'frame.jpg');
await sharp(sample('two-people.jpg')).resize(1280, 720, { fit: 'cover', position: 'top' }).toFile(wideFrame);

function sampleFilter(family: Family, kinds: readonly string[] | undefined): FilterDefinition | null {
  if (kinds?.includes('template')) return template;
  const list = family.filter?.catalog;
  return list ? (catalog.list(list)[0]?.definition ?? null) : null;
}

const cases = referenceWorkflows().flatMap(({ name, file }) => {
  const family = familyOf(file.families[0]!);
  return (family.output === 'video' ? videoDurations : [null]).map((duration) => ({
    name,
    file,
    family,
    duration,
  }));
});

const prompts = [];
for (const { name, file, family, duration } of cases) {
  const { definition, kinds } = file;
  const picture = { gender: 1, ratio: 'portrait', outpaint: false, quality_mode: 'v6' };
  const video = { model: 'advanced', duration: duration ?? '4s' };
  const said = 'on a beach at sunset, gentle wind in the hair';
  const params = { ...picture, ...video, prompt: said, seed: 1 };
  const photo = duration ? wideFrame : sample(family.mode === 'group' ? 'two-people.jpg' : 'astronaut.jpg');
  const id = duration ? `${name}-${duration}` : name;
  const asked = {
    ...parseRequest(family.name, params, sampleFilter(family, kinds)),
    filterRef: null,
    jobId: id,
    images: definition.bindings.photos.map(() => photo),
    scratch: photosFolder,
    via: [],
  };
  const request = { ...asked, words: await writePrompt(asked) };
  const { signal } = new AbortController();
  const job = await prepare(request, definition, {
    findFaces: faces.checkTemplate!,
    signal,
    decoder: decodingTasks,
  });
  const names = await Promise.all(
    photosToSend(job).map(async ({ bytes }, i) => {
      await writeFile(join(photosFolder, `${id}-${i}.jpg`), bytes);
      return `guise/${id}-${i}.jpg`;
    }),
  );
  prompts.push({
    workflow: name,
    family: family.name,
    duration,
    limit_seconds: runLimits(family.name).runningMs / 1000,
    vram_gb: Number.parseInt(file.needs.vram, 10),
    output: definition.bindings.output,
    prompt: bind(definition, job.request, job.shape, uploadedAs(job, names), `guise/${id}`),
  });
  console.log(id);
}
await faces.close();
await writeFile(join(folder, 'prompts.json'), JSON.stringify(prompts, null, 1));
