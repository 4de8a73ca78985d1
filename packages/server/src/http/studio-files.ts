import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from './unmatched-request.ts';

const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.woff2', 'font/woff2'],
  ['.wasm', 'application/wasm'],
]);
const compressed = new Set(['.html', '.js', '.css', '.svg']);

interface StudioFile {
  type: string;
  bytes: Buffer;
  gzipped: Buffer | undefined;
}

/** The built studio. Its files are read once: anybody may ask for them. */
export interface StudioFiles {
  /** `index.html`, or a file under `assets/`. */
  read(name: string): Promise<StudioFile> | undefined;
}

/** `folder` holds what the build made; without it the server has no pages but the reference. */
export function openStudioFiles(folder: string): StudioFiles {
  const names = new Set(filesIn(folder));
  const files = new Map<string, Promise<StudioFile>>();
  return {
    read(name) {
      if (!names.has(name)) return undefined;
      const file = files.get(name) ?? readStudioFile(folder, name);
      files.set(name, file);
      return file;
    },
  };
}

function filesIn(folder: string): string[] {
  try {
    return ['index.html', ...readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`)];
  } catch {
    return [];
  }
}

async function readStudioFile(folder: string, name: string): Promise<StudioFile> {
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
function contentSecurityPolicy(fileOrigins: readonly string[]): string {
  const files = ["'self'", 'blob:', 'data:', ...fileOrigins].join(' ');
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src ${files}`,
    `media-src ${files}`,
    "connect-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

interface StudioParts {
  studio: StudioFiles;
  /** Where pictures and videos may be beside this server. */
  fileOrigins: readonly string[];
}

/** The page itself, which finds in the address what to show. Programs that ask for no page get the 404 of any path. */
export async function sendStudioPage(
  { studio, fileOrigins }: StudioParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer> {
  const wantsPage = /\btext\/html\b/.test(String(request.headers.accept ?? ''));
  const page = wantsPage && (await studio.read('index.html'));
  if (!page) throw notFound();
  reply.header('content-security-policy', contentSecurityPolicy(fileOrigins));
  // Not cached: it names the files of the newest build.
  return sendBytes(page, request, reply.header('cache-control', 'no-cache'));
}

/** A file of the page. Its name has its hash, so it never changes. */
export async function sendStudioAsset(
  { studio }: StudioParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer> {
  const asset = await studio.read(`assets/${(request.params as { file?: string }).file ?? ''}`);
  if (!asset) throw notFound();
  return sendBytes(asset, request, reply.header('cache-control', 'public, max-age=31536000, immutable'));
}

function sendBytes(
  { type, bytes, gzipped }: StudioFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Buffer {
  reply.type(type).header('vary', 'accept-encoding');
  if (!gzipped || !/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return bytes;
  reply.header('content-encoding', 'gzip');
  return gzipped;
}
