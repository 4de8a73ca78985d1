import type { Command } from 'commander';
import { example } from '../../example.ts';
import { emailOption, jsonOption, requireOption, wholeNumber } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { withRecords } from '../../with-records.ts';

export function addAccountsCreate(accounts: Command): void {
  accounts
    .command('create')
    .summary('Create an account with its first key and token.')
    .description('Create an account with its first API key and access token. Both are shown only this once.')
    .addOption(emailOption())
    .option('--credits <count>', 'Credits that it starts with.', wholeNumber('--credits'), 0)
    .option(
      '--password <text>',
      'Password to sign in with. Without it, only the key, the token and sign-in links work.',
    )
    .option('--operator', 'The account may see and change the whole installation.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise accounts create --email a@b.c --credits 100'))
    .action(runAccountsCreate);
}

interface AccountsCreateOptions {
  email?: string;
  credits: number;
  password?: string;
  operator?: boolean;
  json?: boolean;
}

async function runAccountsCreate(options: AccountsCreateOptions): Promise<void> {
  const { credits, password, operator, json } = options;
  const address = requireOption('--email', options.email);
  const { createAccount } = await import('../../../accounts/accounts.ts');
  const { email, api_key, access_token } = await withRecords((db) =>
    createAccount(db, { email: address, credits, password, role: operator ? 'operator' : 'account' }),
  );
  printResult(json, { email, api_key, access_token }, [
    `account       ${email}`,
    `api key       ${api_key}`,
    `access token  ${access_token}`,
    'Both are shown only this once.',
  ]);
}
