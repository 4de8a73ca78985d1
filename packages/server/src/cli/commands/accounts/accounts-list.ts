import type { Command } from 'commander';
import { example } from '../../example.ts';
import { jsonOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { withRecords } from '../../with-records.ts';

export function addAccountsList(accounts: Command): void {
  accounts
    .command('list')
    .description('List accounts and balances, oldest first.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise accounts list'))
    .action(runAccountsList);
}

async function runAccountsList({ json }: { json?: boolean }): Promise<void> {
  const { readAccounts } = await import('../../../accounts/accounts.ts');
  const accounts = await withRecords(readAccounts);
  printResult(
    json,
    accounts,
    accounts.map(
      ({ created_at, credits, email }) => `${created_at}  ${String(credits).padStart(8)}  ${email}`,
    ),
  );
}
