import { CatalogMap, type CatalogQuery, catalogMapType } from '@guise/contract/catalogs.ts';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { ok, type RouteRequest } from '../route.ts';

type CatalogRequest = RouteRequest<unknown, z.infer<typeof CatalogQuery>>;

/** The answer of a catalog: a list of entries, or a map for those who ask for one. */
export const catalogOf = (entry: z.ZodType) => ok(z.union([z.array(entry), CatalogMap]));

/** The entries as the caller asks for them. */
export function shapeCatalog<Entry extends { id: string; name: string }>(
  entries: Entry[],
  request: CatalogRequest,
  reply: FastifyReply,
): Entry[] | Record<string, string> {
  reply.header('vary', 'accept');
  const accepted = request.headers.accept?.includes(catalogMapType) ?? false;
  if (!accepted && request.query.shape !== 'map') return entries;
  if (accepted) reply.type(catalogMapType);
  return Object.fromEntries(entries.map(({ id, name }) => [id, name]));
}
