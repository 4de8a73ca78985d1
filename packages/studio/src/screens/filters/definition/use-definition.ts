import type { CustomDefinition } from '@guise/contract/filters.ts';
import { useMemo } from 'react';
import { definitionOf, type EditedFilter } from './edited-filter.ts';

/** The definition, which stays the same object while only the name changes: what depends on it is not made again. */
export function useDefinition(edited: EditedFilter): CustomDefinition | undefined {
  const { filterType, kind, prompt, scene, template, workflow } = edited;
  return useMemo(
    () => definitionOf({ filterType, kind, prompt, scene, template, workflow }),
    [filterType, kind, prompt, scene, template, workflow],
  );
}
