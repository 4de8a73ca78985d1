import type { Command } from 'commander';
import type { WorkflowChoice } from '../../../engines/setup/choose-workflows.ts';
import { AppError } from '../../../errors.ts';
import { example } from '../../example.ts';
import { jsonOption, requireOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';

interface InitOptions {
  comfyui?: string;
  write?: string;
  force?: boolean;
  tokenFrom?: string;
  fallback?: boolean;
  json?: boolean;
}

export function addEnginesInit(engines: Command): void {
  engines
    .command('init')
    .summary('Write the engines file for a ComfyUI server.')
    .description(
      'Ask a ComfyUI server what it has, choose the best reference workflow that it can run for each family, write the engines file, and say what to download for the rest.',
    )
    .option('--comfyui <url>', 'Address of the server. Required.')
    .option('--write <file>', 'Where the file goes. Without it, the file is printed.')
    .option('--force', 'Overwrite the file.')
    .option('--token-from <variable>', 'Environment variable with a token that the server asks for.')
    .option('--fallback', 'Let this machine make what the server could not.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise engines init --comfyui http://10.0.0.5:8188 --write engines.json'))
    .action(runEnginesInit);
}

async function runEnginesInit(options: InitOptions): Promise<void> {
  const { existsSync, writeFileSync } = await import('node:fs');
  const { chooseWorkflows, enginesFileFor } = await import('../../../engines/setup/choose-workflows.ts');
  const { unseenModels } = await import('../../../engines/setup/missing-parts.ts');
  const { readInventory } = await import('../../../engines/setup/read-inventory.ts');
  const { write, force, tokenFrom, fallback = false, json } = options;
  const url = requireOption('--comfyui', options.comfyui);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new AppError('USAGE', '--comfyui must be an http or https address.');
  if (write !== undefined && !force && existsSync(write))
    throw new AppError(
      'USAGE',
      `${write} is there already. Name another file, or overwrite it with --force.`,
    );
  const token = tokenFrom === undefined ? null : requireOption(tokenFrom, process.env[tokenFrom]);
  const { version, info } = await readInventory(url, token);
  const choice = chooseWorkflows({ version, info });
  const file = enginesFileFor(choice, { url, tokenFrom, fallback });
  const text = `${JSON.stringify(file, null, 2)}\n`;
  const runs = choice.routes.length > 0;
  if (runs && write !== undefined) writeFileSync(write, text);
  const unseen = choice.routes
    .flatMap(({ workflows }) => workflows)
    .flatMap((workflow) =>
      unseenModels(workflow.file).map((model) => ({ workflow: workflow.name, ...model })),
    );
  printResult(json, { version, file: runs ? file : null, unfit: choice.unfit.map(shown), unseen }, [
    `ComfyUI ${version ?? 'of an unknown version'}, ${Object.keys(info).length} nodes`,
    '',
    ...choice.routes.map(
      ({ families, workflows }) =>
        `${workflows.map(({ name }) => name).join(', ')} for ${families.join(', ')}`,
    ),
    ...[...new Map(unseen.map((model) => [model.file, model])).values()].map(
      ({ workflow, file: name, folder, from, size, licence }) =>
        `${workflow} also needs ${name} in models/${folder}, which cannot be seen from here: ${from} (${size}, ${licence})`,
    ),
    ...(runs
      ? [write === undefined ? `\n${text}` : `Written to ${write}: start with GUISE_ENGINES=${write}.`]
      : ['The server can run none of the reference workflows yet. Nothing was written.']),
    ...choice.unfit.flatMap(unfitLines),
  ]);
  if (!runs) process.exitCode = 1;
}

type Unfit = WorkflowChoice['unfit'][number];

const shown = ({ workflow, ...lacks }: Unfit) => ({ workflow: workflow.name, ...lacks });

function unfitLines({ workflow, families, models, packs, others }: Unfit): string[] {
  return [
    '',
    `${workflow.name} (${workflow.file.needs.vram}), for ${families.join(', ')}, needs on the server:`,
    ...packs.flatMap(({ name, url: from }) => [`  custom_nodes/${name}`, `    ${from}`]),
    ...models.flatMap(({ file, folder, from, size, licence }) => [
      `  models/${folder}/${file}  (${size}, ${licence})`,
      `    ${from}`,
    ]),
    ...others.map((sentence) => `  ${sentence}`),
  ];
}
