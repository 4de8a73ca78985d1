import type { Command } from 'commander';
import { example } from '../example.ts';
import { emailOption, jsonOption, requireOption } from '../options.ts';
import { printResult } from '../print-result.ts';
import { withRecords } from '../with-records.ts';

export function addKeysCreate(keys: Command): void {
  keys
    .command('create')
    .summary('Create another API key.')
    .description('Create another API key for an account. It is shown only this once.')
    .addOption(emailOption())
    .option('--name <text>', 'What the key is for.', 'key')
    .addOption(jsonOption())
    .addHelpText('after', example('guise keys create --email a@b.c --name "booth 2"'))
    .action(runKeysCreate);
}

interface KeysCreateOptions {
  email?: string;
  name: string;
  json?: boolean;
}

async function runKeysCreate({ email, name, json }: KeysCreateOptions): Promise<void> {
  const address = requireOption('--email', email);
  const { accountOf } = await import('../../accounts/accounts.ts');
  const { createCredential } = await import('../../accounts/keys.ts');
  const { id, secret } = await withRecords(async (db) => {
    const account = await accountOf(db, address);
    return createCredential(db, account.id, { kind: 'key', name });
  });
  printResult(json, { id, name, api_key: secret }, [`${id}  ${secret}`, 'It is shown only this once.']);
}
