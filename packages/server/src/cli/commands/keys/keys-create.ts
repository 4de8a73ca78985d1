import type { Scope } from '@guise/contract/scopes.ts';
import type { Command } from 'commander';
import { example } from '../../example.ts';
import { emailOption, jsonOption, oneOf, requireOption, wholeNumber } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { withRecords } from '../../with-records.ts';

export function addKeysCreate(keys: Command): void {
  keys
    .command('create')
    .summary('Create another API key.')
    .description('Create another API key for an account. It is shown only this once.')
    .addOption(emailOption())
    .option('--name <text>', 'What the key is for.', 'key')
    .option('--scopes <list>', 'What it may do, such as run,read. Without it: run,read,manage.', readScopes)
    .option('--budget <count>', 'Credits that it may spend in all.', wholeNumber('--budget'))
    .addOption(jsonOption())
    .addHelpText('after', example('guise keys create --email a@b.c --name "booth 2"'))
    .action(runKeysCreate);
}

const knownScopes = ['run', 'read', 'manage', 'operator'] as const satisfies Scope[];

function readScopes(text: string): Scope[] {
  return text.split(',').map((word) => oneOf('--scopes', knownScopes)(word.trim()));
}

interface KeysCreateOptions {
  email?: string;
  name: string;
  scopes?: Scope[];
  budget?: number;
  json?: boolean;
}

async function runKeysCreate({ email, name, scopes, budget, json }: KeysCreateOptions): Promise<void> {
  const address = requireOption('--email', email);
  const { accountOf } = await import('../../../accounts/accounts.ts');
  const { createCredential } = await import('../../../accounts/keys.ts');
  const { id, secret } = await withRecords(async (db) => {
    const account = await accountOf(db, address);
    return createCredential(db, account.id, { kind: 'key', name, scopes, budget });
  });
  printResult(json, { id, name, api_key: secret }, [`${id}  ${secret}`, 'It is shown only this once.']);
}
