import {
  type EventMail,
  type EventMailList,
  type GuestMail,
  mostMailsOfGuest,
  type NewMail,
  type NewTextMessage,
} from '@guise/contract/events/mails.ts';
import type { Page } from '@guise/contract/jobs.ts';
import { AppError } from '../../errors.ts';
import { afterEveryId, newId, textId } from '../../ids.ts';
import { isoTime } from '../../iso-time.ts';
import type { Changes } from '../../jobs/changes.ts';
import { jobNotFound } from '../../jobs/read.ts';
import { deliveryWaiting } from '../../jobs/webhook-outbox.ts';
import { webhookBody } from '../../jobs/webhooks/webhook-body.ts';
import { nextCursor } from '../../next-cursor.ts';
import type { Db, Queries } from '../../store/db.ts';
import { findEventJob } from '../../store/events/event-guest-records.ts';
import { findEvent } from '../../store/events/event-records.ts';
import type { EventRow } from '../../store/events/event-schema.ts';
import {
  countMailsOfGuest,
  countTextMessagesOfGuest,
  findMailOf,
  insertMail,
  mails,
} from '../../store/events/mail-records.ts';
import type { EventMailRow } from '../../store/events/outbox-schema.ts';
import { holdEvent } from '../../store/events/station-records.ts';
import { findJob } from '../../store/job-records.ts';
import { findDelivery, insertDelivery } from '../../store/webhooks/delivery-records.ts';
import { settingsOf } from '../event-settings.ts';
import { eventNotFound } from '../event-state.ts';
import type { PrintedBy } from '../print-event-picture.ts';

/** What is published when a mail may be due. */
export const mailWaiting = 'mail-waiting';

const limitOf = (noun: string) =>
  new AppError('MAIL_LIMIT_REACHED', `You have asked for ${mostMailsOfGuest} ${noun}, which is all.`);
const noMail = () => new AppError('NO_MAIL', 'Pictures of this event are not sent by mail.');

/** A picture that a guest, or a booth for a guest, asks to be sent. */
export interface PictureToSend {
  event: EventRow;
  by: Exclude<PrintedBy, 'account'>;
  id: string;
  baseUrl: string;
}

/** The guest of a picture. Throws unless it is of whoever asks. */
async function guestOf(db: Queries, { event, by, id }: PictureToSend): Promise<string> {
  const row = await db.one(findEventJob, { job_id: id });
  const job = row?.event_id === event.id && (await db.one(findJob, { id, account_id: event.account_id }));
  if (!row || !job) throw jobNotFound();
  if ('guestId' in by ? row.guest_id !== by.guestId : job.key_id !== by.keyId) throw jobNotFound();
  return row.guest_id;
}

/** Keeps the address with the time of the guest's consent, until the picture is erased. The same again is one mail. */
export async function createMail(
  { db, changes, hasMail }: { db: Db; changes: Changes; hasMail: boolean },
  wanted: PictureToSend,
  { address, language }: NewMail,
): Promise<GuestMail> {
  const { event, id: job_id, baseUrl: base_url } = wanted;
  const { mail } = settingsOf(event);
  if (mail === null || !hasMail) throw noMail();
  const now = db.now();
  const row = await db.transaction(async (tx) => {
    if ((await tx.run(holdEvent, { id: event.id })) === 0) throw eventNotFound();
    const guest_id = await guestOf(tx, wanted);
    const earlier = await tx.one(findMailOf, { job_id, address });
    if (earlier) return earlier;
    const { count } = (await tx.one(countMailsOfGuest, { guest_id }))!;
    if (count >= mostMailsOfGuest) throw limitOf('mails');
    const id = newId(now);
    const chosen = language !== undefined && mail.texts[language] ? language : Object.keys(mail.texts)[0]!;
    const guest = { id, event_id: event.id, account_id: event.account_id, guest_id, job_id, base_url };
    await tx.run(insertMail, { ...guest, address, language: chosen, consent_at: now });
    return (await tx.one(mails.find, { id, event_id: event.id }))!;
  });
  changes.publish(mailWaiting);
  return { id: row.id, state: row.state, sentence: row.sentence };
}

/**
 * Hands a request to whoever sends text messages for the account, by its webhook. Nothing of it is kept beside that. The
 * same again is one message.
 */
export async function requestTextMessage(
  { db, changes }: { db: Db; changes: Changes },
  wanted: PictureToSend,
  guestUrl: (guestId: string) => string,
  { channel, number }: NewTextMessage,
): Promise<void> {
  const { event, id: job_id } = wanted;
  const { webhook_url: url } = settingsOf(event);
  if (url === null) throw new AppError('NO_MAIL', 'Pictures of this event are not sent to phones.');
  const { id: event_id, account_id } = event;
  const id = textId(`text message ${job_id} ${channel} ${number}`);
  const now = db.now();
  await db.transaction(async (tx) => {
    if ((await tx.run(holdEvent, { id: event_id })) === 0) throw eventNotFound();
    const guest_id = await guestOf(tx, wanted);
    if (await tx.one(findDelivery, { id, account_id })) return;
    const { count } = (await tx.one(countTextMessagesOfGuest, { guest_id }))!;
    if (count >= mostMailsOfGuest) throw limitOf('text messages');
    const data = { event_id, job_id, guest_id, channel, number, guest_url: guestUrl(guest_id) };
    const body = webhookBody('event.delivery_requested', { ...data, consent_at: isoTime(now) }, now);
    await tx.run(insertDelivery, { id, job_id, account_id, url, body });
  });
  changes.publish(deliveryWaiting);
}

/** Newest first. */
export async function readMails(
  db: Db,
  own: { id: string; account_id: string },
  { cursor = afterEveryId, limit }: Page,
): Promise<EventMailList> {
  if (!(await db.one(findEvent, own))) throw eventNotFound();
  const rows = await db.all(mails.list, { event_id: own.id, before: cursor, limit });
  return { mails: rows.map(mailOf), next_cursor: nextCursor(rows, limit, ({ id }) => id) };
}

function mailOf(row: EventMailRow): EventMail {
  const { id, job_id, address, language, state, attempts, sentence } = row;
  return {
    id,
    job_id,
    address,
    language,
    state,
    attempts,
    sentence,
    consent_at: isoTime(row.consent_at),
    created_at: isoTime(row.created_at),
    ended_at: row.ended_at === null ? null : isoTime(row.ended_at),
  };
}
