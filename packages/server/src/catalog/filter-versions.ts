import type { CustomDefinition } from '@guise/contract/filters.ts';
import type { Queries } from '../store/db.ts';
import type { CustomFilterRow } from '../store/schema.ts';
import { definitionOf } from './custom-filters.ts';

/** What a version of a custom filter says to make; undefined when it has no such version. */
export async function definitionOfVersion(
  _db: Queries,
  current: CustomFilterRow,
  version: number,
): Promise<CustomDefinition | undefined> {
  return version === current.version ? definitionOf(current) : undefined;
}
