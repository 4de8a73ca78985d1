import type { Command } from 'commander';
import { example } from '../../example.ts';
import { jsonOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { progressBar } from '../../progress-bar.ts';
import { readSettings } from '../../read-settings.ts';

export function addModelsImport(models: Command): void {
  models
    .command('import')
    .summary('Use the models of an archive.')
    .description(
      'Use the models of an archive that "guise models export" has written, where npm has not brought them. Every file must have the SHA-256 that Guise knows.',
    )
    .argument('<file>', 'The archive.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise models import ./guise-models.tar'))
    .action(runModelsImport);
}

async function runModelsImport(file: string, { json }: { json?: boolean }): Promise<void> {
  const { importModels } = await import('../../../app/model-archive.ts');
  const { operatorModelsDir } = await import('../../../engines/local/local-engine.ts');
  const folder = operatorModelsDir(await readSettings());
  const bar = progressBar();
  const { imported, unused } = await importModels(folder, file, bar.show).finally(bar.end);
  printResult(json, { folder, imported, unused }, [
    `${imported.length} models are in ${folder}: ${imported.join(', ')}. A running server uses them after a restart.`,
    ...(unused.length > 0 ? [`This version does not use ${unused.join(', ')}.`] : []),
  ]);
}
