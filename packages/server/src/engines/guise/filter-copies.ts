import { createHash } from 'node:crypto';
import type { CustomDefinition } from '@guise/contract/filters.ts';
import { z } from 'zod';
import type { Upstream } from '../upstream.ts';

/** The other server's id of a filter with this definition, made there when there is none yet. */
export type CopyFilter = (type: 'face_swap' | 'multi_swap', definition: CustomDefinition) => Promise<string>;

const Filters = z.array(z.looseObject({ id: z.string(), name: z.string() }));
const Filter = z.looseObject({ id: z.string() });
const path = '/v1/users/me/my-custom-filters';
const timeoutMs = 60_000;
const mostCopies = 500;

/** Remembers which filters were copied there, by the hash of their definition. */
export function createFilterCopies(server: Upstream, closed: AbortSignal): CopyFilter {
  const copies = new Map<string, Promise<string>>();
  return (type, definition) => {
    const hash = createHash('sha256')
      .update(JSON.stringify([type, definition]))
      .digest('hex');
    let copy = copies.get(hash);
    if (!copy) {
      const signal = AbortSignal.any([closed, AbortSignal.timeout(timeoutMs)]);
      copy = findOrMake(server, { type, definition, hash }, signal);
      copies.set(hash, copy);
      copy.catch(() => copies.delete(hash));
      if (copies.size > mostCopies) copies.delete(copies.keys().next().value!);
    }
    return copy;
  };
}

async function findOrMake(
  server: Upstream,
  { type, definition, hash }: { type: string; definition: CustomDefinition; hash: string },
  signal: AbortSignal,
): Promise<string> {
  const name = `Copy ${hash.slice(0, 24)}`;
  const found = (await server.json(Filters, { path, signal })).find((filter) => filter.name === name);
  if (found) return found.id;
  const made = await server.json(Filter, {
    method: 'POST',
    path,
    headers: { 'idempotency-key': hash },
    json: { name, filter_type: type, definition },
    also: [201],
    signal,
    timeoutMs,
  });
  return made.id;
}
