import type { Command } from 'commander';
import { example } from '../../example.ts';
import { jsonOption } from '../../options.ts';
import { packLines } from '../../pack-lines.ts';
import { printResult } from '../../print-result.ts';
import { readSettings } from '../../read-settings.ts';

export function addFiltersList(filters: Command): void {
  filters
    .command('list')
    .description('List your packs and what is in them.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise filters list'))
    .action(runFiltersList);
}

async function runFiltersList({ json }: { json?: boolean }): Promise<void> {
  const { listPacks } = await import('../../../catalog/packs/describe-pack.ts');
  const packs = await listPacks(await readSettings());
  printResult(json, packs, packs.flatMap(packLines));
}
