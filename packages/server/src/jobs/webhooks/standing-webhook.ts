import type { StandingWebhook } from '@guise/contract/webhooks.ts';
import type { Db } from '../../store/db.ts';
import { findSetting, putSetting } from '../../store/settings.ts';
import { checkWebhookUrl, type SubmitParts } from '../submit.ts';

const settingOf = (accountId: string) => `standing_webhook ${accountId}`;

/** Where the ends of an account's runs are told that name no address of their own. */
export async function readStandingWebhook(db: Db, accountId: string): Promise<StandingWebhook> {
  const stored = await db.one(findSetting, { name: settingOf(accountId) });
  return { url: stored?.value || null };
}

export async function setStandingWebhook(
  parts: Pick<SubmitParts, 'db' | 'checkUrl'>,
  accountId: string,
  { url }: StandingWebhook,
): Promise<StandingWebhook> {
  const value = url === null ? '' : checkWebhookUrl(parts, url, 'url');
  await parts.db.run(putSetting, { name: settingOf(accountId), value });
  return { url: value || null };
}
