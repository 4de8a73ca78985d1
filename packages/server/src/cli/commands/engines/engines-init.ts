import type { Command } from 'commander';
import type { UnfitWorkflow } from '../../../engines/comfyui/setup/choose-workflows.ts';
import { AppError } from '../../../errors.ts';
import { example } from '../../example.ts';
import { jsonOption, requireOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { type AccessOptions, accessOf, addAccessOptions } from './access-options.ts';

interface InitOptions extends AccessOptions {
  comfyui?: string;
  write?: string;
  force?: boolean;
  fallback?: boolean;
  nonCommercial?: boolean;
  json?: boolean;
}

export function addEnginesInit(engines: Command): void {
  addAccessOptions(engines.command('init'))
    .summary('Write the engines file for a ComfyUI server.')
    .description(
      'Ask a ComfyUI server what it has, choose the best reference workflow that it can run for each family, write the engines file with a route for custom filters that are workflows, and say what to download for the rest.',
    )
    .option('--comfyui <url>', 'Address of the server. Required.')
    .option('--write <file>', 'Where the file goes. Without it, the file is printed.')
    .option('--force', 'Overwrite the file.')
    .option('--fallback', 'Let this machine make what the server could not.')
    .option('--non-commercial', 'Choose workflows whose files are not for commercial use, too.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise engines init --comfyui http://10.0.0.5:8188 --write engines.json'))
    .action(runEnginesInit);
}

async function runEnginesInit(options: InitOptions): Promise<void> {
  const { existsSync, writeFileSync } = await import('node:fs');
  const { versionProblem } = await import('../../../engines/comfyui/version.ts');
  const { chooseWorkflows } = await import('../../../engines/comfyui/setup/choose-workflows.ts');
  const { enginesFileFor, formatEnginesFile } = await import(
    '../../../engines/comfyui/setup/engines-file-for.ts'
  );
  const { modelTerms, unseenModels } = await import('../../../engines/comfyui/setup/missing-parts.ts');
  const { leftOutLines, unfitLines } = await import('../../../engines/comfyui/setup/needs-lines.ts');
  const { readInventory } = await import('../../../engines/comfyui/setup/read-inventory.ts');
  const { write, force, fallback = false, nonCommercial = false, json } = options;
  const url = requireOption('--comfyui', options.comfyui);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new AppError('USAGE', '--comfyui must be an http or https address.');
  if (write !== undefined && !force && existsSync(write))
    throw new AppError(
      'USAGE',
      `${write} is there already. Name another file, or overwrite it with --force.`,
    );
  const { accessHeaders } = await import('../../../engines/comfyui/access.ts');
  const access = accessOf(options);
  const headers = accessHeaders(access, (variable) => requireOption(variable, process.env[variable]));
  const { version, info } = await readInventory(url, headers);
  const tooOld = versionProblem(version);
  if (tooOld) throw new AppError('USAGE', `${url} cannot be used: ${tooOld}.`);
  const choice = chooseWorkflows({ version, info }, { nonCommercial });
  const servers = [{ url, access }];
  const file = enginesFileFor({ engine: 'gpu', servers, routes: choice.routes, info, fallback });
  const text = formatEnginesFile(file);
  if (write !== undefined) writeFileSync(write, text);
  const unseen = choice.routes
    .flatMap(({ workflows }) => workflows)
    .flatMap((workflow) =>
      unseenModels(workflow.file).map((model) => ({ workflow: workflow.name, ...model })),
    );
  const left_out = choice.leftOut.map(({ name, file: { needs } }) => ({
    workflow: name,
    packs: needs.custom_nodes,
    models: needs.models,
  }));
  printResult(json, { version, file, unfit: choice.unfit.map(shown), unseen, left_out }, [
    `ComfyUI ${version}, ${Object.keys(info).length} nodes`,
    '',
    ...choice.routes.map(
      ({ families, workflows }) =>
        `${workflows.map(({ name }) => name).join(', ')} for ${families.join(', ')}`,
    ),
    ...(choice.routes.length === 0 ? ['The server can run none of the reference workflows yet.'] : []),
    'Custom filters that are workflows run there with the nodes that come with ComfyUI: add others to "nodes".',
    ...[...new Map(unseen.map((model) => [model.file, model])).values()].map(
      (model) =>
        `${model.workflow} also needs ${model.file} in models/${model.folder}, which cannot be seen from here: ${model.from} (${modelTerms(model)})`,
    ),
    write === undefined ? `\n${text}` : `Written to ${write}: start with GUISE_ENGINES=${write}.`,
    ...choice.unfit.flatMap(unfitLines),
    ...choice.leftOut.flatMap(leftOutLines),
  ]);
}

const shown = ({ workflow, ...lacks }: UnfitWorkflow) => ({ workflow: workflow.name, ...lacks });
