import { readFile } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catalogNames } from '../catalog/catalog.ts';
import { AppError } from '../errors.ts';
import type { HttpParts } from './parts.ts';

const fileNotFound = () => new AppError('FILE_NOT_FOUND', 'This file does not exist or was deleted.');
const types: Record<string, string> = { mp4: 'video/mp4', webp: 'image/webp', png: 'image/png' };
const linkable = /^(results|previews)\/(?:[0-9a-f]{2}\/)?[0-9a-f-]+\.(mp4|webp|png)$/;

/** A signed file: videos and previews of custom filters. Whole, in part (`Range`), or only its headers (`HEAD`). */
export async function answerFile(parts: HttpParts, request: FastifyRequest, reply: FastifyReply) {
  const key = (request.params as { '*': string })['*'];
  parts.links.check(key, request.query as Record<string, unknown>);
  const extension = linkable.exec(key)?.[2];
  const blob = extension ? await parts.blobs.open(key) : undefined;
  if (!blob) throw fileNotFound();
  const range = rangeOf(request.headers.range, blob.size);
  reply
    .type(types[extension!]!)
    .header('accept-ranges', 'bytes')
    .header('cache-control', 'private, max-age=3600')
    .header('content-disposition', `inline; filename="guise-${key.slice(key.lastIndexOf('/') + 1)}"`);
  if (range === 'unsatisfiable') {
    await blob.close();
    return reply.code(416).header('content-range', `bytes */${blob.size}`).send();
  }
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${blob.size}`);
  reply.header('content-length', range ? range.end - range.start + 1 : blob.size);
  if (request.method === 'HEAD') {
    await blob.close();
    return reply.send();
  }
  return reply.send(blob.stream(range));
}

/** One range, as browsers and players ask for it; what is not one is answered whole, as the standard allows. */
function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start > end || start >= size ? 'unsatisfiable' : { start, end };
}

/** The catalog's own previews are the same for everybody and need no signature. */
export async function answerPreview(parts: HttpParts, request: FastifyRequest, reply: FastifyReply) {
  const { catalog, file } = request.params as { catalog: string; file: string };
  const known = (catalogNames as readonly string[]).includes(catalog) && /^\d{1,6}\.webp$/.test(file);
  const bytes = known
    ? await readFile(new URL(`previews/${catalog}/${file}`, parts.catalogDir)).catch(() => undefined)
    : undefined;
  if (!bytes) throw fileNotFound();
  return reply.type('image/webp').header('cache-control', 'public, max-age=86400').send(bytes);
}
