import { createHash } from 'node:crypto';
import type { WorkflowDefinition } from '@guise/contract/filters.ts';

/** Which workflows made the last job that they were given, since this process started. */
export interface WorkflowMemory {
  worked(workflow: string): void;
  /** Whether the workflow made the job before this one: then it is this photo that it fails on. */
  failed(workflow: string): boolean;
}

/** Callers' own workflows are without number. */
const mostWorkflows = 200;

export function createWorkflowMemory(): WorkflowMemory {
  const worked = new Set<string>();
  return {
    worked(workflow) {
      worked.add(workflow);
      if (worked.size > mostWorkflows) worked.delete(worked.values().next().value!);
    },
    failed: (workflow) => worked.delete(workflow),
  };
}

/** Failures are counted for each workflow, whichever filter it is of. */
export function workflowKey({ workflow }: WorkflowDefinition): string {
  return createHash('sha256').update(JSON.stringify(workflow)).digest('hex').slice(0, 16);
}
