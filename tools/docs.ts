import { writeFileSync } from 'node:fs';
import { errorCodes } from '@guise/contract/error-codes.ts';
import { families } from '@guise/contract/families.ts';
import { settings } from '@guise/server/config.ts';
import { routes } from '@guise/server/http/routes.ts';

/** Reference pages made from the code. A test holds the files against this: `npm run docs` writes them anew. */

const made = '<!-- Made from the code by `npm run docs`. -->';

function table(head: string[], rows: string[][]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
}

function errors(): string {
  const rows = Object.entries(errorCodes).map(([code, { status, means }]) => [
    `\`${code}\``,
    String(status),
    means,
  ]);
  return `# Errors

${made}

Every error of every endpoint is JSON of one shape: \`{"error_code", "error", "detail", "request_id"}\`, and \`fields\` for validation errors. \`error\` and \`detail\` are the same sentence for a person. Nothing is charged unless a job is accepted.

When a request is wrong in several ways, the first of this order answers: credentials, JSON, shape, choices with codes of their own, filter, image, credits.

${table(['error_code', 'status', 'meaning'], rows)}
`;
}

function configuration(): string {
  const rows = Object.entries(settings).map(([name, setting]) => [
    `\`${name}\``,
    'documentedDefault' in setting
      ? setting.documentedDefault
      : setting.default === ''
        ? 'empty'
        : `\`${setting.default}\``,
    setting.about,
  ]);
  return `# Configuration

${made}

Settings are environment variables. A value that cannot be used stops the start with a sentence that names it.

${table(['variable', 'default', 'what it does'], rows)}
`;
}

function endpoints(): string {
  const familyRows = families.map((family) => [
    `\`${family.name}\``,
    `\`POST ${family.run}\``,
    `\`POST ${family.status}\``,
    [...new Set([family.words.queued, family.words.running])].map((word) => `\`${word}\``).join(', '),
    typeof family.price === 'number'
      ? String(family.price)
      : `${Object.entries(family.price.perSecond)
          .map(([model, price]) => `${model} ${price}`)
          .join(', ')} a second`,
    family.filter?.catalog ?? '',
  ]);
  const rows = routes.map((route) => [route.method, `\`${route.path}\``, route.access, route.summary]);
  return `# Endpoints

${made}

A running server has the same with every field: \`/docs\` to read and try, \`/openapi.json\` for tools. Every path answers with and without its trailing slash.

## Job families

Every status ends in \`COMPLETED\` or \`FAILED\`.

${table(['family', 'run', 'status', 'words until it ends', 'credits', 'catalog'], familyRows)}

## All endpoints

${table(['method', 'path', 'access', 'what it does'], rows)}
`;
}

export const pages: Record<string, string> = {
  'docs/errors.md': errors(),
  'docs/configuration.md': configuration(),
  'docs/endpoints.md': endpoints(),
};

if (import.meta.main) {
  for (const [path, text] of Object.entries(pages))
    writeFileSync(new URL(`../${path}`, import.meta.url), text);
}
