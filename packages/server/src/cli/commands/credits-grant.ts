import type { Command } from 'commander';
import { example } from '../example.ts';
import { emailOption, jsonOption, requireOption, wholeNumber } from '../options.ts';
import { printResult } from '../print-result.ts';
import { withRecords } from '../with-records.ts';

export function addCreditsGrant(credits: Command): void {
  credits
    .command('grant')
    .description('Give credits to an account.')
    .addOption(emailOption())
    .option('--amount <count>', 'How many credits. Required.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise credits grant --email a@b.c --amount 100'))
    .action(runCreditsGrant);
}

interface CreditsGrantOptions {
  email?: string;
  amount?: string;
  json?: boolean;
}

async function runCreditsGrant({ email, amount, json }: CreditsGrantOptions): Promise<void> {
  const address = requireOption('--email', email);
  const credits = wholeNumber('--amount')(requireOption('--amount', amount));
  const { grantCredits } = await import('../../accounts/accounts.ts');
  const account = await withRecords((db) => grantCredits(db, address, credits));
  printResult(json, account, [`${account.email} now has ${account.balance} credits.`]);
}
