import { newId } from '../ids.ts';
import { webhookBody } from '../jobs/webhooks/webhook-body.ts';
import type { Queries } from '../store/db.ts';
import { findEventJob } from '../store/events/event-guest-records.ts';
import { findEventById } from '../store/events/event-records.ts';
import type { EventRow } from '../store/events/event-schema.ts';
import type { JobRow } from '../store/schema.ts';
import { insertDelivery } from '../store/webhooks/delivery-records.ts';
import { settingsOf } from './event-settings.ts';

/** Part of the transaction that completes a job of an event. */
export async function tellPictureReady(tx: Queries, job: JobRow, now: number): Promise<void> {
  const event = job.event_id === null ? undefined : await tx.one(findEventById, { id: job.event_id });
  const url = event && settingsOf(event).webhook_url;
  const taken = url && (await tx.one(findEventJob, { job_id: job.id }));
  if (!taken) return;
  const data = { event_id: event.id, job_id: job.id, offer_id: taken.offer_id, guest_id: taken.guest_id };
  const body = webhookBody('event.picture_ready', data, now);
  await tx.run(insertDelivery, { id: newId(now), job_id: job.id, account_id: event.account_id, url, body });
}

/** The share of a budget whose rest is little. */
const lowShare = 0.1;

/** Part of the transaction that spends the price of a job: tells of the job after which less than a tenth is left. */
export async function tellBudgetLow(
  tx: Queries,
  { id }: EventRow,
  price: number,
  now: number,
): Promise<void> {
  const event = (await tx.one(findEventById, { id }))!;
  const { webhook_url: url } = settingsOf(event);
  const { budget, spent } = event;
  if (url === null || budget === null) return;
  const isLow = (rest: number) => rest < lowShare * budget;
  if (isLow(budget - spent + price) || !isLow(budget - spent)) return;
  const body = webhookBody('event.budget_low', { event_id: id, budget, spent, left: budget - spent }, now);
  await tx.run(insertDelivery, { id: newId(now), job_id: null, account_id: event.account_id, url, body });
}
