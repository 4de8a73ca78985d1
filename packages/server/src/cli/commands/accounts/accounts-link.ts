import type { Command } from 'commander';
import { example } from '../../example.ts';
import { jsonOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { readSettings } from '../../read-settings.ts';
import { withRecords } from '../../with-records.ts';

export function addAccountsLink(accounts: Command): void {
  accounts
    .command('link')
    .summary('Make a link that signs in to an account.')
    .description('Make a link that signs in to an account in a browser, once within 24 hours.')
    .argument('<email>', 'Email address of the account.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise accounts link a@b.c'))
    .action(runAccountsLink);
}

async function runAccountsLink(email: string, { json }: { json?: boolean }): Promise<void> {
  const { accountOf } = await import('../../../accounts/accounts.ts');
  const { createSignInLink, signInUrl } = await import('../../../accounts/sign-in-links.ts');
  const { isoTime } = await import('../../../iso-time.ts');
  const { publicUrl, host, port } = await readSettings();
  const { token, expires_at } = await withRecords(async (db) =>
    createSignInLink(db, (await accountOf(db, email)).id),
  );
  const address = host.includes(':') ? `[${host}]` : host;
  const url = signInUrl(publicUrl || `http://${address}:${port}`, token);
  printResult(json, { url, expires_at: isoTime(expires_at) }, [url, 'It works once, within 24 hours.']);
}
