import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { catalogNames } from '@guise/contract/catalogs.ts';
import { ownValue } from '@guise/contract/own-value.ts';
import type { FastifyReply } from 'fastify';
import type { Option } from '../../catalog/filter-options.ts';
import { openArchive } from '../../job-pages/job-archives.ts';
import { openResult } from '../../jobs/results/read-result.ts';
import { blobKeyOf } from '../../jobs/results/result-keys.ts';
import { findSampleFile } from '../../qa/sample-set.ts';
import { assertAudience } from '../access/link-audiences.ts';
import type { HttpParts } from '../parts.ts';
import { holdUntilClosed } from '../request.ts';
import type { RouteRequest } from '../route.ts';
import { fileNotFound } from '../signed-links.ts';

const types: Record<string, string> = {
  mp4: 'video/mp4',
  webp: 'image/webp',
  gif: 'image/gif',
  png: 'image/png',
  jpg: 'image/jpeg',
  zip: 'application/zip',
};
const linkable =
  /^(results|thumbnails|stills|loops|moments|archives|previews|templates|photos|overlays|scenes)\/(?:[0-9a-f]{2}\/)?[0-9a-f-]+\.(mp4|webp|gif|png|jpg|zip)$/;

/**
 * A signed file: results, their thumbnails, stills and other formats, moments, archives of them, previews and templates of custom
 * filters, photos of sets, overlays of events, backdrops of scenes.
 * What is stored as it is sent comes whole, in part (`Range`), or only with its headers (`HEAD`).
 */
export async function sendSignedFile(
  parts: HttpParts,
  request: RouteRequest,
  reply: FastifyReply,
): Promise<FastifyReply | Readable | null> {
  const key = request.params['*'] ?? '';
  const { owner, audience } = parts.links.verify(key, request.query as Record<string, unknown>);
  if (audience !== null) await assertAudience(parts.db, { key, owner, audience });
  // What may be hidden or erased a moment later is shown from no cache.
  const caching = audience === null ? null : 'no-store';
  // Templates of earlier versions of this server have no extension. Browsers tell the types of images apart themselves.
  const isBareTemplate = /^templates\/[0-9a-f-]+$/.test(key);
  const [, folder, extension] = isBareTemplate ? [key, 'templates', 'jpg'] : (linkable.exec(key) ?? []);
  if (!extension) throw fileNotFound();
  const type = types[extension]!;
  const disposition = `inline; filename="guise-${key.slice(key.lastIndexOf('/') + 1)}"`;
  if (folder === 'archives' || (folder === 'results' && extension === 'png')) {
    const isArchive = folder === 'archives';
    const gate = isArchive ? parts.admission.exports : parts.admission.files;
    holdUntilClosed(reply, await gate.enter(owner));
    const { stream, title } = await openWritten(parts, key);
    reply.headers({
      'content-type': type,
      'cache-control': caching ?? 'private',
      'content-disposition': title ? titledDisposition(title) : disposition,
    });
    if (request.method !== 'HEAD') return stream;
    stream.destroy();
    return null;
  }
  const isMadeWhenAsked = folder === 'thumbnails' || folder === 'loops';
  if (isMadeWhenAsked && !(await parts.thumbnails.ensure(key))) throw fileNotFound();
  // A bucket's own link would go on for its hour after the picture was hidden or its link was deleted.
  const location =
    audience === null ? await parts.blobs.link?.(key, { seconds: 3600, type, disposition }) : undefined;
  if (location) {
    reply.code(302).headers({ location, 'cache-control': 'private, max-age=1800' });
    return null;
  }
  holdUntilClosed(reply, await parts.admission.files.enter(owner));
  const blob = await parts.blobs.open(key);
  if (!blob) throw fileNotFound();
  const range = rangeOf(request.headers.range, blob.size);
  reply.headers({
    'content-type': type,
    'accept-ranges': 'bytes',
    'cache-control': caching ?? 'private, max-age=3600',
    'content-disposition': disposition,
  });
  if (range === 'unsatisfiable' || request.method === 'HEAD') await blob.close();
  if (range === 'unsatisfiable') {
    reply.code(416).header('content-range', `bytes */${blob.size}`);
    return null;
  }
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${blob.size}`);
  const { start, end } = range ?? { start: 0, end: blob.size - 1 };
  if (request.method !== 'HEAD') return reply.sendBlob({ blob, start, end, prefix: '', suffix: '' });
  reply.header('content-length', end - start + 1);
  return null;
}

/** A file that is written while it is sent: pictures are stored as base64, and of archives only the list of their jobs. */
async function openWritten(
  parts: HttpParts,
  key: string,
): Promise<{ stream: Readable; title?: string | undefined }> {
  if (key.startsWith('archives/')) {
    const archive = await openArchive(parts, key);
    if (!archive) throw fileNotFound();
    return archive;
  }
  const stream = await openResult(parts.blobs, blobKeyOf(key));
  if (!stream) throw fileNotFound();
  return { stream };
}

/** A header has no letters beyond ASCII but in RFC 8187's form. */
function titledDisposition(title: string): string {
  const escaped = (sign: string) => `%${sign.charCodeAt(0).toString(16)}`;
  const name = encodeURIComponent(`${title}.zip`).replaceAll(/['()*]/g, escaped);
  return `attachment; filename="guise.zip"; filename*=UTF-8''${name}`;
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
export async function sendPreview(
  parts: HttpParts,
  request: RouteRequest,
  reply: FastifyReply,
): Promise<Buffer> {
  const { catalog = '', file = '' } = request.params;
  const name = catalogNames.find((known) => known === catalog);
  const id = /^(\d{1,6})\.webp$/.exec(file)?.[1];
  const filter = name && id && parts.catalog.find(name, Number(id));
  if (!filter) throw fileNotFound();
  return sendPreviewFile(join(filter.folder, 'previews', name, `${filter.id}.webp`), reply);
}

/** The same for scenes, costumes and whatever else filters are made of. */
export async function sendOptionPreview(
  parts: HttpParts,
  request: RouteRequest,
  reply: FastifyReply,
): Promise<Buffer> {
  const { list = '', file = '' } = request.params;
  const options = ownValue<readonly Option[]>(await parts.filterOptions(), list) ?? [];
  const preview = options.find(({ name }) => `${name}.webp` === file)?.preview;
  if (!preview || !('file' in preview)) throw fileNotFound();
  return sendPreviewFile(preview.file, reply);
}

async function sendPreviewFile(path: string, reply: FastifyReply): Promise<Buffer> {
  const bytes = await readFile(path).catch(() => undefined);
  if (!bytes) throw fileNotFound();
  reply.type('image/webp').header('cache-control', 'public, max-age=86400');
  return bytes;
}

/** The photos that come with the server, and their thumbnails. */
export async function sendSample(
  _parts: HttpParts,
  request: RouteRequest,
  reply: FastifyReply,
): Promise<Buffer> {
  const { file = '' } = request.params;
  const path = findSampleFile(file);
  if (!path) throw fileNotFound();
  reply.type(types[file.slice(file.lastIndexOf('.') + 1)]!).header('cache-control', 'public, max-age=86400');
  return readFile(path);
}
