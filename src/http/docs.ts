import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from './answer-error.ts';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Guise API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, persistAuthorization: true });</script>
</body>
</html>
`;

const files: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

export async function answerDocs(_: FastifyRequest, reply: FastifyReply) {
  return reply.type('text/html; charset=utf-8').send(page);
}

/** The reference page's own files, from the installed package: the page works without internet. */
export async function answerDocsFile(request: FastifyRequest, reply: FastifyReply) {
  const { file } = request.params as { file: string };
  const type = files[file];
  if (!type) throw notFound();
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  return reply
    .type(type)
    .header('cache-control', 'public, max-age=3600')
    .send(await readFile(join(folder, file)));
}
