import type { Command } from 'commander';
import { example } from '../example.ts';
import { jsonOption } from '../options.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../read-settings.ts';

export function addModelsList(models: Command): void {
  models
    .command('list')
    .description('List your own models with their licences.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise models list'))
    .action(runModelsList);
}

async function runModelsList({ json }: { json?: boolean }): Promise<void> {
  const { listOperatorModels } = await import('@guise/engine/swap/network/operator-models.ts');
  const { operatorModelsDir } = await import('../../engines/local/local-engine.ts');
  const models = await listOperatorModels(operatorModelsDir(await readSettings()));
  printResult(
    json,
    models,
    models.map(({ kind, bytes, licence }) => `${kind.padEnd(6)}  ${(bytes / 1e6).toFixed(1)} MB  ${licence}`),
  );
}
