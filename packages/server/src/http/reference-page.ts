import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from './not-found.ts';

/** The page's own files and, from the installed package, those of Swagger UI: the page works without internet. */
const own = fileURLToPath(new URL('reference', import.meta.url));
const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const files: ReadonlyMap<string, string> = new Map([
  ['index.html', own],
  ['reference.js', own],
  ['swagger-ui.css', swaggerUi],
  ['swagger-ui-bundle.js', swaggerUi],
]);
const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
]);

interface ReferenceFile {
  type: string;
  bytes: Buffer;
  gzipped: Buffer;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Reads a file of the reference page once: its script has 1.4 MB, and anybody may ask for it. */
    referenceFile(name: string): Promise<ReferenceFile>;
  }
}

/** Prepares a scope whose routes answer with pages: their security headers, and their files. */
export async function addPageSupport(scope: FastifyInstance): Promise<void> {
  await scope.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // Swagger UI's style sheet has its icons inside.
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // Whether all of a host is served over TLS is for the proxy to say that ends TLS.
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
  });
  const read = new Map<string, Promise<ReferenceFile>>();
  scope.decorate('referenceFile', (name) => {
    const file = read.get(name) ?? readReferenceFile(name);
    read.set(name, file);
    return file;
  });
}

async function readReferenceFile(name: string): Promise<ReferenceFile> {
  const bytes = await readFile(join(files.get(name)!, name));
  return { type: types.get(extname(name))!, bytes, gzipped: await promisify(gzip)(bytes) };
}

export async function sendReferenceFile(
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer> {
  if (!files.has(name)) throw notFound();
  const { type, bytes, gzipped } = await request.server.referenceFile(name);
  reply.type(type);
  if (name === 'index.html') return bytes;
  reply.headers({ 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' });
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return bytes;
  reply.header('content-encoding', 'gzip');
  return gzipped;
}
