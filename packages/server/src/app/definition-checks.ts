import { existsSync, readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilterType } from '@guise/contract/catalogs.ts';
import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import { lookNames } from '@guise/engine/looks/look-names.ts';
import type { DefinitionChecks } from '../catalog/definitions.ts';
import { moodNames } from '../catalog/filter-options.ts';
import { sampleFamilies } from '../catalog/filter-renders.ts';
import { ownCatalogDir } from '../catalog/own-catalog.ts';
import type { Engine } from '../engines/engine.ts';
import { serves } from '../engines/routing.ts';
import { checkFilterWorkflow, type WorkflowRunners } from '../engines/workflow/check-filter.ts';
import { describeWorkflow } from '../engines/workflow/describe-workflow.ts';
import type { FieldProblem } from '../errors.ts';
import { newId } from '../ids.ts';
import { type ImageParts, readImage } from '../media/image-input.ts';
import type { Db } from '../store/db.ts';
import { findScene } from '../store/scenes/scene-records.ts';

interface CheckParts extends WorkflowRunners, ImageParts {
  db: Db;
  /** Folders of the operator's packs. */
  packs: readonly string[];
  scratchDir: string;
}

/** What custom filters may name: everything that is in the catalog and the packs. */
export function definitionChecks({
  db,
  packs,
  fetchUrl,
  decoder,
  scratchDir,
  ...runners
}: CheckParts): DefinitionChecks {
  const catalogs = [ownCatalogDir, ...packs];
  const workflow = (definition: WorkflowDefinition, type: FilterType | null = null) =>
    checkFilterWorkflow(runners, definition, type);
  return {
    scenes: namesIn(catalogs, 'scenes', 'scene.json'),
    costumes: namesIn(catalogs, 'costumes', 'costume.json'),
    looks: lookNames,
    ...moodNames,
    readPhoto: (image, asked = { accountId: '' }) => readImage(image, { fetchUrl, decoder }, asked),
    isOwnScene: async (account_id, id) => (await db.one(findScene, { id, account_id })) !== undefined,
    workflow,
    template: (photo) => checkTemplate(runners.engines, join(scratchDir, `template-${newId()}`), photo),
    isMade: async (kind, type) => serves(await runners.liveEngines(), sampleFamilies[type], kind),
    describeWorkflow: (graph) => describeWorkflow(graph, workflow),
  };
}

/** Whoever saves a filter does not wait longer for an engine that is busy. */
const checkLimitMs = 20_000;

/**
 * By the engine that would make such filters, if it finds faces: others have their own ways to find them. An engine
 * that is busy or broken says nothing about the photo.
 */
async function checkTemplate(
  engines: readonly Engine[],
  file: string,
  photo: Buffer,
): Promise<FieldProblem[]> {
  const engine = engines.find((one) => serves([one], sampleFamilies.face_swap, 'template'));
  if (!engine?.checkTemplate) return [];
  try {
    await writeFile(file, photo);
    const { faces } = await engine.checkTemplate(file, AbortSignal.timeout(checkLimitMs));
    if (faces.some(({ warnings }) => warnings.length === 0)) return [];
    return [{ path: 'image', message: 'must show a face that is large, whole and seen from the front' }];
  } catch {
    return [];
  } finally {
    await rm(file, { force: true });
  }
}

function namesIn(catalogs: readonly string[], kind: string, file: string): string[] {
  return catalogs.flatMap((catalog) => {
    const folder = join(catalog, kind);
    if (!existsSync(folder)) return [];
    return readdirSync(folder).filter((name) => existsSync(join(folder, name, file)));
  });
}
