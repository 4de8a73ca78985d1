import type { Command } from 'commander';
import { example } from '../../example.ts';
import { jsonOption, requireOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { withRecords } from '../../with-records.ts';

export function addKeysRevoke(keys: Command): void {
  keys
    .command('revoke')
    .summary('Revoke a key or token.')
    .description('Revoke a key or token. It stops working within a second.')
    .option('--id <key>', 'Id of the key, as "keys list" shows it. Required.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise keys revoke --id 01a1dd2e-…'))
    .action(runKeysRevoke);
}

async function runKeysRevoke(options: { id?: string; json?: boolean }): Promise<void> {
  const id = requireOption('--id', options.id);
  const { revokeKeyById } = await import('../../../accounts/keys.ts');
  await withRecords((db) => revokeKeyById(db, id));
  printResult(options.json, { id, revoked: true }, [`${id} is revoked.`]);
}
