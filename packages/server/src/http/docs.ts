import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { notFound } from './answer-error.ts';
import { type Call, Reply } from './call.ts';

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

export async function answerDocs(): Promise<Reply> {
  return new Reply(page, { 'content-type': 'text/html; charset=utf-8' });
}

/** The reference page's own files, from the installed package: the page works without internet. */
export async function answerDocsFile(call: Call): Promise<Reply> {
  const file = call.params.file ?? '';
  const type = files[file];
  if (!type) throw notFound();
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const bytes = await readFile(join(folder, file));
  return new Reply(bytes, { 'content-type': type, 'cache-control': 'public, max-age=3600' });
}
