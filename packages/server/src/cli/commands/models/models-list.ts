import type { Command } from 'commander';
import { example } from '../../example.ts';
import { jsonOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { readSettings } from '../../read-settings.ts';

export function addModelsList(models: Command): void {
  models
    .command('list')
    .description('List your own models and those you have fetched, with their licences.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise models list'))
    .action(runModelsList);
}

async function runModelsList({ json }: { json?: boolean }): Promise<void> {
  const { optionalModels, hasOptionalModel, sizeOfOptionalModel } = await import(
    '@guise/engine/models/optional-models.ts'
  );
  const { listOperatorModels } = await import('@guise/engine/swap/network/operator-models.ts');
  const { operatorModelsDir } = await import('../../../engines/local/local-engine.ts');
  const folder = operatorModelsDir(await readSettings());
  const own = await listOperatorModels(folder);
  const found = await Promise.all(
    optionalModels.map(async (model) => ({ model, here: await hasOptionalModel(folder, model) })),
  );
  const fetched = found.flatMap(({ model, here }) => {
    const { name, licence } = model;
    return here ? [{ kind: name, bytes: sizeOfOptionalModel(model), licence }] : [];
  });
  const listed = [...own, ...fetched];
  printResult(json, listed, [
    ...listed.map(
      ({ kind, bytes, licence }) => `${kind.padEnd(6)}  ${(bytes / 1e6).toFixed(1)} MB  ${licence}`,
    ),
    ...found.flatMap(({ model: { name, use }, here }) =>
      here ? [] : [`${name.padEnd(6)}  not here; it ${use}: guise models get ${name}`],
    ),
  ]);
}
