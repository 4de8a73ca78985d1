import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from './not-found.ts';

const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.webmanifest', 'application/manifest+json'],
  ['.woff2', 'font/woff2'],
  ['.wasm', 'application/wasm'],
]);
const compressed = new Set(['.html', '.js', '.css', '.svg', '.webmanifest']);

interface WebFile {
  type: string;
  bytes: Buffer;
  gzipped: Buffer | undefined;
}

/** The files of a built web application. They are read once: anybody may ask for them. */
export interface WebFiles {
  /** A page or another file of the folder, or a file under `assets/`. */
  read(name: string): Promise<WebFile> | undefined;
}

/** `folder` holds what the build made; without it there are no files. */
export function openWebFiles(folder: string): WebFiles {
  const names = new Set(filesIn(folder));
  const files = new Map<string, Promise<WebFile>>();
  return {
    read(name) {
      if (!names.has(name)) return undefined;
      const file = files.get(name) ?? readWebFile(folder, name);
      files.set(name, file);
      return file;
    },
  };
}

function filesIn(folder: string): string[] {
  try {
    const beside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    return [
      ...beside.map(({ name }) => name),
      ...readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`),
    ];
  } catch {
    return [];
  }
}

async function readWebFile(folder: string, name: string): Promise<WebFile> {
  const bytes = await readFile(join(folder, name));
  const extension = extname(name);
  return {
    type: types.get(extension) ?? 'application/octet-stream',
    bytes,
    gzipped: compressed.has(extension) ? await promisify(gzip)(bytes) : undefined,
  };
}

/**
 * No inline script or style, no other host. Photos that a person chose are `blob:`; the decoder of HEIC photos is
 * WebAssembly.
 */
function contentSecurityPolicy(fileOrigins: readonly string[], calls: readonly string[]): string {
  const files = ["'self'", 'blob:', 'data:', ...fileOrigins].join(' ');
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src ${files}`,
    `media-src ${files}`,
    ['connect-src', "'self'", 'blob:', ...calls].join(' '),
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

interface PageParts {
  /** Where pictures and videos may be beside this server. */
  fileOrigins: readonly string[];
  /** What the page may call beside this server. */
  calls?: readonly string[];
}

/** A program of the booth's own machine: its camera. */
export const ownMachine: readonly string[] = ['http://127.0.0.1:*', 'http://localhost:*'];

/** A page, which finds in the address what to show. Programs that ask for no page get the 404 of any path. */
export async function sendPage(
  { fileOrigins, calls = [] }: PageParts,
  page: Promise<WebFile> | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer> {
  const wantsPage = /\btext\/html\b/.test(String(request.headers.accept ?? ''));
  const file = wantsPage && (await page);
  if (!file) throw notFound();
  reply.header('content-security-policy', contentSecurityPolicy(fileOrigins, calls));
  // Not cached: it names the files of the newest build.
  return sendBytes(file, request, reply.header('cache-control', 'no-cache'));
}

/** What a worker may do, which has the policy of its own file: WebAssembly, and files of this server. */
const workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** A file under `assets/`. Its name has its hash, so it never changes. */
export async function sendAsset(
  files: WebFiles,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer> {
  const asset = await files.read(`assets/${fileOf(request)}`);
  if (!asset) throw notFound();
  reply.header('content-security-policy', workerPolicy);
  return sendBytes(asset, request, reply.header('cache-control', 'public, max-age=31536000, immutable'));
}

/** A file beside the pages, such as an icon. Its name stays when its content changes. */
export async function sendPlainFile(
  files: WebFiles,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer> {
  const name = fileOf(request);
  const file = extname(name) === '.html' ? undefined : await files.read(name);
  if (!file) throw notFound();
  return sendBytes(file, request, reply.header('cache-control', 'no-cache'));
}

const fileOf = (request: FastifyRequest) => (request.params as { file?: string }).file ?? '';

function sendBytes({ type, bytes, gzipped }: WebFile, request: FastifyRequest, reply: FastifyReply): Buffer {
  reply.type(type).header('vary', 'accept-encoding');
  if (!gzipped || !/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return bytes;
  reply.header('content-encoding', 'gzip');
  return gzipped;
}
