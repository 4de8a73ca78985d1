import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { catalogNames } from '@guise/contract/catalogs.ts';
import { createEngine } from '@guise/engine/engine.ts';
import { renderPreview } from '@guise/engine/preview.ts';
import { RenderError } from '@guise/engine/runtime/render-error.ts';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { isReservedFileName } from '../../platform.ts';
import { readFilters } from '../catalog.ts';
import { checkPack, packName } from './check-pack.ts';
import { describePack, type Pack } from './describe-pack.ts';
import { installedPacks, packsDir } from './installed-packs.ts';
import { listPackFiles } from './pack-files.ts';
import { packRefused } from './pack-refused.ts';

type RenderPreview = typeof renderPreview;

/**
 * Adds an operator's pack: copies it beside the others under another name, checks the copy down to every pixel, makes
 * its previews, and only then gives it its name. What is refused leaves nothing behind.
 */
export async function importPack(
  config: Pick<Config, 'dataDir'>,
  source: string,
  render: RenderPreview = renderPreview,
): Promise<Pack> {
  const name = basename(resolve(source));
  if (!packName.test(name) || isReservedFileName(name)) {
    throw packRefused(source, 'a pack is a folder with a name such as beach-party. Rename it');
  }
  const installed = installedPacks(config);
  const home = join(packsDir(config), name);
  if (installed.includes(home)) {
    throw packRefused(
      source,
      `a pack ${name} is there already. Take it out first: guise filters remove ${name}`,
    );
  }
  const files = await listPackFiles(source);
  const staged = hiddenFolder(config, name);
  try {
    for (const file of files) {
      await mkdir(join(staged, file, '..'), { recursive: true });
      await copyFile(join(source, file), join(staged, file));
    }
    const pack = await readStaged(staged, name, installed).catch((error) => {
      throw namingSource(error, source, staged);
    });
    await writePreviews(staged, installed, render);
    await rename(staged, home);
    return pack;
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

export async function removePack(config: Pick<Config, 'dataDir'>, name: string): Promise<void> {
  const home = join(packsDir(config), name);
  if (!installedPacks(config).includes(home)) {
    throw new AppError('USAGE', `There is no pack called ${name}; "filters list" shows them.`);
  }
  // A server that starts now must not read half a pack.
  const removed = hiddenFolder(config, name);
  await rename(home, removed);
  await rm(removed, { recursive: true });
}

/** Folders whose names begin with a dot are not packs. */
function hiddenFolder(config: Pick<Config, 'dataDir'>, name: string): string {
  return join(packsDir(config), `.${name}-${randomBytes(6).toString('hex')}`);
}

async function readStaged(staged: string, name: string, installed: readonly string[]): Promise<Pack> {
  await checkPack(staged, installed);
  const pack = await describePack(staged, name);
  if (pack.scenes.length + pack.costumes.length + pack.filters.length === 0) {
    throw packRefused(
      staged,
      'has neither scenes, costumes nor filters. docs/catalog.md shows how a pack looks',
    );
  }
  return pack;
}

async function writePreviews(
  staged: string,
  installed: readonly string[],
  render: RenderPreview,
): Promise<void> {
  const engine = createEngine({ packs: [...installed, staged] });
  const filters = readFilters(staged);
  for (const list of catalogNames) {
    for (const filter of filters[list]) {
      await mkdir(join(staged, 'previews', list), { recursive: true });
      await writeFile(
        join(staged, 'previews', list, `${filter.id}.webp`),
        await render(engine, list, filter, filter.id),
      );
    }
  }
}

/** Names the operator's own file, not the copy that was checked. */
function namingSource(error: unknown, source: string, staged: string): unknown {
  if (!(error instanceof AppError || error instanceof RenderError)) return error;
  const said = error.message.replaceAll(staged, source);
  const sentence = said.endsWith('Nothing was imported.') ? said : `${said} Nothing was imported.`;
  return new AppError(error.code, sentence, { cause: error });
}
