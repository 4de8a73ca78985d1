import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { notFound } from './unmatched-request.ts';

/** The page's own files and, from the installed package, those of Swagger UI: the page works without internet. */
const folders = [
  fileURLToPath(new URL('reference', import.meta.url)),
  dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
];
const files = ['reference.js', 'swagger-ui.css', 'swagger-ui-bundle.js'];

/** Prepares a scope whose routes answer with pages: their security headers, and `reply.sendFile`. */
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
  await scope.register(fastifyStatic, { root: folders, serve: false });
}

export function sendReferencePage(reply: FastifyReply): FastifyReply {
  return reply.sendFile('index.html');
}

export function sendReferenceFile(file: string, reply: FastifyReply): FastifyReply {
  if (!files.includes(file)) throw notFound();
  return reply.sendFile(file, { maxAge: '1h' });
}
