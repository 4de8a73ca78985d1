import { addSignInLink } from '../../accounts/sign-in-links.ts';
import type { Config } from '../../config.ts';
import { listAccounts } from '../../store/account-records.ts';
import { openStore } from '../storage.ts';
import type { RestoredSignIn } from './restarts.ts';

/**
 * Lets whoever restored a backup in once: as the operator with the same email, else as the oldest one. On a fresh
 * machine the accounts are others, and the way in would be a command.
 */
export async function addRestoredSignIn(config: Config, { token, email }: RestoredSignIn): Promise<void> {
  const db = await openStore(config);
  try {
    const accounts = await db.all(listAccounts, {});
    const operators = accounts.filter(({ role }) => role === 'operator');
    const account = operators.find((one) => one.email === email) ?? operators[0] ?? accounts[0];
    if (account) await addSignInLink(db, token, account.id);
  } finally {
    await db.close();
  }
}
