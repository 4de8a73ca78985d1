import type { Command } from 'commander';
import { example } from '../../example.ts';
import { jsonOption } from '../../options.ts';
import { packLines } from '../../pack-lines.ts';
import { printResult } from '../../print-result.ts';
import { readSettings } from '../../read-settings.ts';

export function addFiltersImport(filters: Command): void {
  filters
    .command('import')
    .summary('Add a pack of scenes, costumes and filters.')
    .description('Check a pack of scenes, costumes and filters, and add it to the catalog: docs/catalog.md.')
    .argument('<folder>', 'The pack. Its name is that of the folder.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise filters import ./beach-pack'))
    .action(runFiltersImport);
}

async function runFiltersImport(folder: string, { json }: { json?: boolean }): Promise<void> {
  const { importPack } = await import('../../../catalog/packs/import-pack.ts');
  const pack = await importPack(await readSettings(), folder);
  printResult(json, pack, [
    ...packLines(pack),
    'Imported. A server that is running serves it after a restart.',
  ]);
}
