import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import { generate } from 'orval';

// Validates openapi.json of this folder and generates three clients beside it, in one process: each of the tools takes a
// second to load. It runs as a copy in the folder where the tools are installed: generated-clients.test.ts.

const folder = import.meta.dirname;
const input = join(folder, 'openapi.json');
const document = await new SwaggerParser().validate(input, { dereference: { circular: 'ignore' } });

writeFileSync(join(folder, 'schema.ts'), astToString(await openapiTypeScript(new URL(`file://${input}`))));
await createClient({
  input,
  output: { path: join(folder, 'hey-api') },
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  logs: { level: 'silent' },
});
await generate({
  input: { target: input },
  output: {
    target: join(folder, 'orval.ts'),
    client: 'fetch',
    mode: 'single',
    baseUrl: document.servers[0].url,
  },
});
// Two of them import files without their extensions.
await build({
  entryPoints: [join(folder, 'make-pictures.ts')],
  outfile: join(folder, 'make-pictures.mjs'),
  bundle: true,
  format: 'esm',
  platform: 'node',
});
