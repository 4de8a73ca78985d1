import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FilterType } from '@guise/contract/catalogs.ts';
import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import { lookNames } from '@guise/engine/looks/look-names.ts';
import type { DefinitionChecks } from '../catalog/definitions.ts';
import { moodNames } from '../catalog/filter-options.ts';
import { ownCatalogDir } from '../catalog/own-catalog.ts';
import { checkFilterWorkflow, type WorkflowRunners } from '../engines/workflow/check-filter.ts';
import { describeWorkflow } from '../engines/workflow/describe-workflow.ts';
import { readImage } from '../media/image-input.ts';
import type { safeFetcher } from '../media/safe-fetch.ts';

interface CheckParts extends WorkflowRunners {
  /** Folders of the operator's packs. */
  packs: readonly string[];
  fetchUrl: ReturnType<typeof safeFetcher>;
}

/** What custom filters may name: everything that is in the catalog and the packs. */
export function definitionChecks({ packs, fetchUrl, ...runners }: CheckParts): DefinitionChecks {
  const catalogs = [ownCatalogDir, ...packs];
  const workflow = (definition: WorkflowDefinition, type: FilterType | null = null) =>
    checkFilterWorkflow(runners, definition, type);
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
