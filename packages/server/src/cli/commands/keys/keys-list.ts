import type { Command } from 'commander';
import { example } from '../../example.ts';
import { emailOption, jsonOption, requireOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { withRecords } from '../../with-records.ts';

export function addKeysList(keys: Command): void {
  keys
    .command('list')
    .summary('List keys and tokens.')
    .description('List the keys and tokens of an account by their last four characters.')
    .addOption(emailOption())
    .addOption(jsonOption())
    .addHelpText('after', example('guise keys list --email a@b.c'))
    .action(runKeysList);
}

async function runKeysList({ email, json }: { email?: string; json?: boolean }): Promise<void> {
  const address = requireOption('--email', email);
  const { accountOf } = await import('../../../accounts/accounts.ts');
  const { readCredentials } = await import('../../../accounts/keys.ts');
  const keys = await withRecords(async (db) => readCredentials(db, (await accountOf(db, address)).id));
  printResult(
    json,
    keys,
    keys.map(({ id, kind, last4, state, name }) => {
      return `${id}  ${kind.padEnd(5)}  …${last4}  ${state.padEnd(7)}  ${name}`;
    }),
  );
}
