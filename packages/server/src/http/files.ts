import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogNames } from '@guise/contract/catalogs.ts';
import { AppError } from '../errors.ts';
import { type Call, Reply } from './call.ts';
import type { HttpParts } from './parts.ts';

const fileNotFound = () => new AppError('FILE_NOT_FOUND', 'This file does not exist or was deleted.');
const types: Record<string, string> = { mp4: 'video/mp4', webp: 'image/webp', png: 'image/png' };
const linkable = /^(results|previews)\/(?:[0-9a-f]{2}\/)?[0-9a-f-]+\.(mp4|webp|png)$/;

/** A signed file: videos and previews of custom filters. Whole, in part (`Range`), or only its headers (`HEAD`). */
export async function answerFile(parts: HttpParts, call: Call): Promise<Reply> {
  const key = call.params['*'] ?? '';
  parts.links.check(key, call.query);
  const extension = linkable.exec(key)?.[2];
  if (!extension) throw fileNotFound();
  const type = types[extension]!;
  const disposition = `inline; filename="guise-${key.slice(key.lastIndexOf('/') + 1)}"`;
  const location = await parts.blobs.link?.(key, { seconds: 3600, type, disposition });
  if (location) return new Reply(null, { location, 'cache-control': 'private, max-age=1800' }, 302);
  const blob = await parts.blobs.open(key);
  if (!blob) throw fileNotFound();
  const range = rangeOf(call.headers.range, blob.size);
  const headers = {
    'content-type': type,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
    'content-disposition': disposition,
  };
  if (range === 'unsatisfiable' || call.method === 'HEAD') await blob.close();
  if (range === 'unsatisfiable')
    return new Reply(null, { ...headers, 'content-range': `bytes */${blob.size}` }, 416);
  const part = range && { 'content-range': `bytes ${range.start}-${range.end}/${blob.size}` };
  const length = range ? range.end - range.start + 1 : blob.size;
  return new Reply(
    call.method === 'HEAD' ? null : blob.stream(range),
    { ...headers, ...part, 'content-length': length },
    range ? 206 : 200,
  );
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
export async function answerPreview(parts: HttpParts, call: Call): Promise<Reply> {
  const { catalog = '', file = '' } = call.params;
  const name = catalogNames.find((known) => known === catalog);
  const id = /^(\d{1,6})\.webp$/.exec(file)?.[1];
  const filter = name && id && parts.catalog.find(name, Number(id));
  const bytes = filter
    ? await readFile(join(filter.folder, 'previews', name, `${filter.id}.webp`)).catch(() => undefined)
    : undefined;
  if (!bytes) throw fileNotFound();
  return new Reply(bytes, { 'content-type': 'image/webp', 'cache-control': 'public, max-age=86400' });
}
