import type { Command } from 'commander';
import { example } from '../../example.ts';
import { jsonOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { progressBar } from '../../progress-bar.ts';
import { readSettings } from '../../read-settings.ts';

export function addModelsExport(models: Command): void {
  models
    .command('export')
    .summary('Write all models as one archive.')
    .description(
      'Write all models as one tar archive with their licences and SHA-256, for installations that cannot get them from npm: docs/local-engine.md. Networks of your own are not in it.',
    )
    .argument('<file>', 'The archive to write.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise models export ./guise-models.tar'))
    .action(runModelsExport);
}

async function runModelsExport(file: string, { json }: { json?: boolean }): Promise<void> {
  const { exportModels } = await import('../../../app/model-archive.ts');
  const { operatorModelsDir } = await import('../../../engines/local/local-engine.ts');
  const folder = operatorModelsDir(await readSettings());
  const bar = progressBar();
  const { files, bytes, sha256 } = await exportModels(folder, file, bar.show).finally(bar.end);
  printResult(json, { file, sha256, bytes, files }, [
    `${file}: ${files.length} files, ${(bytes / 1e6).toFixed(0)} MB, SHA-256 ${sha256}`,
  ]);
}
