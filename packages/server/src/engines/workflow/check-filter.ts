import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import type { FieldProblem } from '../../errors.ts';
import type { Engine } from '../engine.ts';
import { checkWorkflow } from './check.ts';

/** What is wrong with a custom filter's workflow: by itself, then for those who would run it. */
export async function checkFilterWorkflow(
  engines: readonly Engine[],
  definition: WorkflowDefinition,
): Promise<FieldProblem[]> {
  const problems = checkWorkflow(definition);
  if (definition.bindings.photos.length !== 1)
    problems.push({
      path: 'bindings.photos',
      message: 'must name one place: runs with a custom filter have one photo',
    });
  if (problems.length > 0) return problems;
  for (const engine of engines) {
    const found = (await engine.checkWorkflow?.(definition)) ?? [];
    if (found.length > 0) return found;
  }
  return [];
}
