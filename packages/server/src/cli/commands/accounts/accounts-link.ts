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
    .argument('[email]', 'Email address of the account. It may be left out where there is only one.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise accounts link', 'guise accounts link a@b.c'))
    .action(runAccountsLink);
}

async function runAccountsLink(email: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const { accountOf, onlyAccount } = await import('../../../accounts/accounts.ts');
  const { createSignInLink, signInUrl } = await import('../../../accounts/sign-in-links.ts');
  const { isoTime } = await import('../../../iso-time.ts');
  const { publicUrl, host, port } = await readSettings();
  const { token, expires_at } = await withRecords(async (db) =>
    createSignInLink(db, (await (email === undefined ? onlyAccount(db) : accountOf(db, email))).id),
  );
  const url = signInUrl(publicUrl || `http://${reachableHost(host)}:${port}`, token);
  printResult(json, { url, expires_at: isoTime(expires_at) }, [url, 'It works once, within 24 hours.']);
}

/** A server that listens on every address of the machine is reached at the machine's own. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
