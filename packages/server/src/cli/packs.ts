import { randomBytes } from 'node:crypto';
import { copyFile, lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { catalogNames } from '@guise/contract/catalogs.ts';
import { readCostumes } from '@guise/engine/costume/costumes.ts';
import { createEngine } from '@guise/engine/engine.ts';
import { lookNames } from '@guise/engine/looks/looks.ts';
import { renderPreview } from '@guise/engine/preview.ts';
import { lights, palettes, weathers } from '@guise/engine/prompt/prompt-concepts.ts';
import { checkCostumePictures, checkScenePictures } from '@guise/engine/scenes/pack-pictures.ts';
import { catalogFolder, readScenes } from '@guise/engine/scenes/scenes.ts';
import { type CatalogFilter, loadCatalog, readFilters } from '../catalog/catalog.ts';
import type { Config } from '../config.ts';
import { installedPacks, packsDir } from '../engines/local/local-engine.ts';
import { translateRenderError } from '../engines/local/render-errors.ts';
import { AppError } from '../errors.ts';

/** What a pack brings: its folder's name, and the names and ids in it. */
export interface Pack {
  name: string;
  scenes: string[];
  costumes: string[];
  filters: { list: string; id: number; name: string; replaces: boolean }[];
}

/** A pack may have no more than this: it is copied, and read whenever the server starts. */
export const packLimits = { files: 2000, fileBytes: 8_000_000, bytes: 250_000_000 };

const packName = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const parts = /^(scenes|costumes)(\/[^/]+(\/[^/]+)?)?$|^(filters\.json|readme[^/]*|licen[cs]e[^/]*)$/i;
const ownFilters = new URL('../../../../catalog/filters.json', import.meta.url);

const refused = (file: string, problem: string) =>
  new AppError('CATALOG_BROKEN', `${file}: ${problem}. Nothing was imported.`);

type Preview = typeof renderPreview;

/**
 * Adds an operator's pack: copies it beside the others under another name, checks the copy down to every pixel, makes
 * its previews, and only then gives it its name. What is refused leaves nothing behind.
 */
export async function importPack(
  config: Pick<Config, 'dataDir'>,
  source: string,
  preview: Preview = renderPreview,
): Promise<Pack> {
  const name = basename(resolve(source));
  if (!packName.test(name)) {
    throw refused(source, 'a pack is a folder with a name such as beach-party. Rename it');
  }
  const home = join(packsDir(config), name);
  if (installedPacks(config).includes(home)) {
    throw refused(source, `a pack ${name} is there already. Take it out first: guise filters remove ${name}`);
  }
  const files = await filesOf(source);
  const staged = join(packsDir(config), `.${name}-${randomBytes(6).toString('hex')}`);
  try {
    for (const file of files) {
      await mkdir(join(staged, file, '..'), { recursive: true });
      await copyFile(join(source, file), join(staged, file));
    }
    const pack = await checkPack(config, staged, name).catch((error) => {
      throw inWordsOf(source, staged, error);
    });
    await makePreviews(config, staged, preview);
    await rename(staged, home);
    return pack;
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** The installed packs. */
export async function listPacks(config: Pick<Config, 'dataDir'>): Promise<Pack[]> {
  return Promise.all(installedPacks(config).map((folder) => describe(folder, basename(folder))));
}

export async function removePack(config: Pick<Config, 'dataDir'>, name: string): Promise<void> {
  const home = join(packsDir(config), name);
  if (!installedPacks(config).includes(home)) {
    throw new AppError('USAGE', `There is no pack called ${name}; "filters list" shows them.`);
  }
  const gone = join(packsDir(config), `.${name}-${randomBytes(6).toString('hex')}`);
  await rename(home, gone);
  await rm(gone, { recursive: true });
}

/** Every file of the pack, by its path inside: plain files at the places that a pack has, few and small enough. */
async function filesOf(source: string): Promise<string[]> {
  const files: string[] = [];
  let bytes = 0;
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(folder).catch(() => {
      throw refused(folder, 'is not a folder that can be read. Give the folder of the pack');
    });
    for (const entry of entries.sort()) {
      const path = join(folder, entry);
      const inside = relative(source, path).replaceAll('\\', '/');
      if (entry.startsWith('.') || inside === 'previews') continue;
      const { size, ...kind } = await lstatOf(path);
      if (kind.link) throw refused(path, 'is a link; a pack holds its own files. Put the file there instead');
      if (!parts.test(inside)) throw refused(path, 'is no part of a pack. Take it out');
      if (kind.folder) {
        await walk(path);
        continue;
      }
      if (!kind.file) throw refused(path, 'is neither a file nor a folder. Take it out');
      bytes += size;
      if (size > packLimits.fileBytes || bytes > packLimits.bytes || files.length >= packLimits.files) {
        const { files: most, fileBytes, bytes: all } = packLimits;
        throw refused(
          path,
          `is too much: a pack has up to ${most} files of ${fileBytes / 1e6} MB, ${all / 1e6} MB in all. Make it smaller`,
        );
      }
      files.push(inside);
    }
  };
  await walk(source);
  return files;
}

async function lstatOf(path: string) {
  const found = await lstat(path);
  return {
    size: found.size,
    link: found.isSymbolicLink(),
    folder: found.isDirectory(),
    file: found.isFile(),
  };
}

/** Reads the copy as a server would, beside everything that is installed, and every picture in it. */
async function checkPack(config: Pick<Config, 'dataDir'>, staged: string, name: string): Promise<Pack> {
  const packs = [...installedPacks(config), staged];
  const [scenes, costumes] = [
    await readScenes([catalogFolder, ...packs]),
    await readCostumes([catalogFolder, ...packs]),
  ];
  const own = (entry: { folder: string }) => entry.folder.startsWith(staged);
  for (const scene of [...scenes.values()].filter(own)) {
    mustBeName(scene.folder, scene.name);
    await checkScenePictures(scene);
  }
  for (const costume of [...costumes.values()].filter(own)) {
    mustBeName(costume.folder, costume.name);
    await checkCostumePictures(costume);
    mustKnow(join(costume.folder, 'costume.json'), 'scene', costume.scenes, scenes);
  }
  loadCatalog(ownFilters, packs);
  const filters = readFilters(staged);
  for (const list of catalogNames) {
    for (const { id, definition } of filters[list]) {
      const at = `${join(staged, 'filters.json')}: ${list} ${id}`;
      if (definition.look) mustKnow(at, 'look', [definition.look], new Set(lookNames));
      if (definition.kind !== 'scene') continue;
      mustKnow(at, 'scene', [definition.scene], scenes);
      mustKnow(at, 'costume', [definition.costume], costumes);
      for (const [kind, names] of Object.entries({ light: lights, weather: weathers, palette: palettes })) {
        mustKnow(at, kind, [definition[kind as 'light']], new Map(Object.entries(names)));
      }
    }
  }
  const pack = await describe(staged, name);
  if (pack.scenes.length + pack.costumes.length + pack.filters.length === 0) {
    throw refused(staged, 'has neither scenes, costumes nor filters. docs/catalog.md shows how a pack looks');
  }
  return pack;
}

function mustBeName(folder: string, name: string): void {
  if (!packName.test(name)) throw refused(folder, 'its name must be like neon-street. Rename the folder');
}

function mustKnow(
  at: string,
  kind: string,
  names: readonly (string | undefined)[],
  known: { has(name: string): boolean },
): void {
  for (const name of names) {
    if (name !== undefined && !known.has(name)) {
      throw refused(at, `there is no ${kind} called ${name}. Correct the name, or add it to the pack`);
    }
  }
}

async function makePreviews(
  config: Pick<Config, 'dataDir'>,
  staged: string,
  preview: Preview,
): Promise<void> {
  const engine = createEngine({ packs: [...installedPacks(config), staged] });
  const filters = readFilters(staged);
  for (const list of catalogNames) {
    for (const filter of filters[list]) {
      await mkdir(join(staged, 'previews', list), { recursive: true });
      await writeFile(
        join(staged, 'previews', list, `${filter.id}.webp`),
        await preview(engine, list, filter),
      );
    }
  }
}

async function describe(folder: string, name: string): Promise<Pack> {
  const [scenes, costumes] = [await readScenes([folder]), await readCostumes([folder])];
  const filters = readFilters(folder);
  const row = (list: string) => (filter: CatalogFilter) => ({
    list,
    id: filter.id,
    name: filter.name,
    replaces: filter.replaces === true,
  });
  return {
    name,
    scenes: [...scenes.keys()],
    costumes: [...costumes.keys()],
    filters: catalogNames.flatMap((list) => filters[list].map(row(list))),
  };
}

/** Names the operator's own file, not the copy that was checked. */
function inWordsOf(source: string, staged: string, error: unknown): unknown {
  const known = translateRenderError(error);
  if (!(known instanceof AppError)) return error;
  const said = known.message.replaceAll(staged, source);
  const sentence = said.endsWith('Nothing was imported.') ? said : `${said} Nothing was imported.`;
  return new AppError(known.code, sentence, { cause: error });
}
