import type { Command } from 'commander';
import { example } from '../../example.ts';
import { jsonOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { readSettings } from '../../read-settings.ts';

export function addModelsConvert(models: Command): void {
  models
    .command('convert')
    .summary('Convert the models ahead of the first start.')
    .description(
      'Convert the models of the local engine ahead of the first start, which takes half a minute less then.',
    )
    .argument(
      '[folder]',
      'Where they are kept. Default: where the server looks for them, in its data folder.',
    )
    .addOption(jsonOption())
    .addHelpText('after', example('guise models convert'))
    .action(runModelsConvert);
}

async function runModelsConvert(given: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const { convertModels } = await import('../../../app/convert-models.ts');
  const { modelCacheDir } = await import('../../../engines/local/local-engine.ts');
  const folder = given ?? modelCacheDir(await readSettings());
  const models = await convertModels(folder);
  const lines = models.map(({ title, seconds }) => `${title}: converted in ${seconds.toFixed(1)} s`);
  printResult(json, { folder, models }, [...lines, folder]);
}
