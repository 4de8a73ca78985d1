import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import { lookNames } from '@guise/engine/looks/look-names.ts';
import type { DefinitionChecks } from '../catalog/definitions.ts';
import { moodNames } from '../catalog/filter-options.ts';
import { ownCatalogDir } from '../catalog/own-catalog.ts';
import type { Engine } from '../engines/engine.ts';
import { checkFilterWorkflow } from '../engines/workflow/check-filter.ts';
import { describeWorkflow } from '../engines/workflow/describe-workflow.ts';
import { readImage } from '../media/image-input.ts';
import type { safeFetcher } from '../media/safe-fetch.ts';

interface CheckParts {
  engines: readonly Engine[];
  /** Folders of the operator's packs. */
  packs: readonly string[];
  fetchUrl: ReturnType<typeof safeFetcher>;
}

/** What custom filters may name: everything that is in the catalog and the packs. */
export function definitionChecks({ engines, packs, fetchUrl }: CheckParts): DefinitionChecks {
  const catalogs = [ownCatalogDir, ...packs];
  const workflow = (definition: WorkflowDefinition) => checkFilterWorkflow(engines, definition);
  return {
    scenes: namesIn(catalogs, 'scenes', 'scene.json'),
    costumes: namesIn(catalogs, 'costumes', 'costume.json'),
    looks: lookNames,
    ...moodNames,
    readPhoto: (image) => readImage(image, fetchUrl),
    workflow,
    describeWorkflow: (graph) => describeWorkflow(graph, workflow),
  };
}

function namesIn(catalogs: readonly string[], kind: string, file: string): string[] {
  return catalogs.flatMap((catalog) => {
    const folder = join(catalog, kind);
    if (!existsSync(folder)) return [];
    return readdirSync(folder).filter((name) => existsSync(join(folder, name, file)));
  });
}
