import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookTestResult } from '@guise/contract/webhooks.ts';
import type { WebhookLimits } from '../../config.ts';
import { rateLimited } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Db } from '../../store/db.ts';
import { countAttempt } from '../../store/webhooks/delivery-rates.ts';
import { namesOf, readLoad } from './delivery-load.ts';
import { attemptDelivery, type PostWebhook } from './send-delivery.ts';
import { webhookBody } from './webhook-body.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** Sends test deliveries: what an endpoint would get of a job, while the caller waits. */
export type TestDelivery = (accountId: string, url: string) => Promise<WebhookTestResult>;

interface Parts {
  db: Db;
  /** The URL as it was parsed; throws when it may not be called. */
  checkUrl: (url: string) => string;
  secrets: WebhookSecrets;
  limits: WebhookLimits;
  post: PostWebhook;
}

/** It counts as an attempt of the account and to the host, like those of jobs, and is refused when there are too many. */
export function createTestDelivery(parts: Parts): TestDelivery {
  return async (accountId, given) => {
    const delivery = { account_id: accountId, url: parts.checkUrl(given) };
    const load = await readLoad(parts.db, parts.limits);
    if (!load.hasRoomForAccount(accountId) || !load.hasRoomForHost(delivery)) throw tooMany(parts.limits);
    for (const name of namesOf(delivery)) await parts.db.run(countAttempt, { name });
    const body = webhookBody('webhook.test', {}, parts.db.now());
    const began = performance.now();
    const outcome = await attemptDelivery(parts, { ...delivery, id: newId(), body });
    // In seconds where nobody answered: how soon a name was refused would tell whether the operator's network has it.
    const elapsed = () => performance.now() - began;
    if (outcome.last_status_code === null) await sleep(Math.ceil(elapsed() / 1000) * 1000 - elapsed());
    return {
      status_code: outcome.last_status_code,
      error: outcome.last_error,
      ms: outcome.last_status_code === null ? Math.round(elapsed() / 1000) * 1000 : Math.round(elapsed()),
    };
  };
}

const tooMany = ({ accountPerMinute }: WebhookLimits) =>
  rateLimited('This account or this host has as many deliveries as it may have. Retry after 60 s.', {
    limit: accountPerMinute,
    resetSeconds: 60,
  });
