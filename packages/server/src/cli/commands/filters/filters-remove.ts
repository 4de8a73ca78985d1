import type { Command } from 'commander';
import { example } from '../../example.ts';
import { jsonOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { readSettings } from '../../read-settings.ts';

export function addFiltersRemove(filters: Command): void {
  filters
    .command('remove')
    .description('Remove a pack.')
    .argument('<pack>', 'Its name, as "filters list" shows it.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise filters remove beach-pack'))
    .action(runFiltersRemove);
}

async function runFiltersRemove(name: string, { json }: { json?: boolean }): Promise<void> {
  const { removePack } = await import('../../../catalog/packs/import-pack.ts');
  await removePack(await readSettings(), name);
  printResult(json, { name, removed: true }, [`${name} is removed. A running server drops it at a restart.`]);
}
