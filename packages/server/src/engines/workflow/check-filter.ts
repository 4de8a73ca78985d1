import { type FilterType, filterTypeOf } from '@guise/contract/catalogs.ts';
import { families } from '@guise/contract/families/families.ts';
import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import type { FieldProblem } from '../../errors.ts';
import type { Engine } from '../engine.ts';
import { serves } from '../routing.ts';
import { checkWorkflow } from './check.ts';

/** Those who would run the workflows of custom filters. */
export interface WorkflowRunners {
  /** The engines of this process, which ask their servers. */
  engines: readonly Engine[];
  /** What the engines of all live workers make. */
  liveEngines(): Promise<readonly Pick<Engine, 'abilities'>[]>;
}

/** What is wrong with a custom filter's workflow: by itself, then for those who would run it. */
export async function checkFilterWorkflow(
  { engines, liveEngines }: WorkflowRunners,
  definition: WorkflowDefinition,
  type: FilterType | null,
): Promise<FieldProblem[]> {
  const problems = checkWorkflow(definition);
  if (definition.bindings.photos.length !== 1)
    problems.push({
      path: 'bindings.photos',
      message: 'must name one place: runs with a custom filter have one photo',
    });
  if (problems.length > 0) return problems;
  if (!isRun(await liveEngines(), type)) return [notRun(type)];
  for (const engine of engines) {
    const found = (await engine.checkWorkflow?.(definition)) ?? [];
    if (found.length > 0) return found;
  }
  return [];
}

/** Whether somebody runs workflows for filters of this type. While no worker is there, nobody knows. */
function isRun(live: readonly Pick<Engine, 'abilities'>[], type: FilterType | null): boolean {
  const wanted = families.filter(
    ({ filter }) => filter && (type === null || filterTypeOf(filter.catalog) === type),
  );
  return live.length === 0 || wanted.some(({ name }) => serves(live, name, 'workflow'));
}

function notRun(type: FilterType | null): FieldProblem {
  const jobs = type === null ? '' : ` for ${type === 'face_swap' ? 'face swap' : 'multi swap'}`;
  return {
    path: 'kind',
    message: `no engine of this server runs workflows${jobs}: its operator adds a route with "nodes" to the engines file, as guise engines init writes it`,
  };
}
