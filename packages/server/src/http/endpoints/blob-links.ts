import type { FastifyRequest } from 'fastify';
import type { PhotoLinks } from '../../qa/photo-links.ts';
import type { CellLinks } from '../../qa/qa-cells.ts';
import type { HttpParts } from '../parts.ts';
import { baseUrlOf } from '../request.ts';

const dayMs = 24 * 3600_000;

/**
 * Links to an account's photos that hold for one to two days. Those of one day are the same, so that a page that reads
 * them again shows what its browser has.
 */
export function photoLinksFor(
  parts: HttpParts,
  request: FastifyRequest,
  accountId: string,
  audience?: string,
): PhotoLinks {
  const baseUrl = baseUrlOf(parts, request);
  const expiresAt = (Math.floor(Date.now() / dayMs) + 2) * dayMs;
  return {
    toBlob: (key) => parts.links.create(baseUrl, key, accountId, expiresAt, audience),
    toSample: (file) => `${baseUrl}/samples/${file}`,
  };
}

export function cellLinksFor(
  parts: HttpParts,
  request: FastifyRequest,
  accountId: string,
  audience?: string,
): CellLinks {
  const baseUrl = baseUrlOf(parts, request);
  return {
    ...photoLinksFor(parts, request, accountId, audience),
    toResult: (key, expiresAt) => parts.links.create(baseUrl, key, accountId, expiresAt, audience),
  };
}
