import { buffer } from 'node:stream/consumers';
import { findFamily } from '@guise/contract/families/families.ts';
import { hasEnded } from '../../jobs/read.ts';
import { openResult } from '../../jobs/results/read-result.ts';
import { type Mailer, MailFailure, type MailMessage } from '../../mail/mailer.ts';
import type { Blobs } from '../../store/blobs.ts';
import { findEventById } from '../../store/events/event-records.ts';
import { mails } from '../../store/events/mail-records.ts';
import type { EventMailRow } from '../../store/events/outbox-schema.ts';
import { findJob } from '../../store/job-records.ts';
import type { JobRow } from '../../store/schema.ts';
import { settingsOf } from '../event-settings.ts';
import { type OutboxParts, startOutboxLoop } from '../outbox-loop.ts';
import { mailWaiting } from './event-mails.ts';
import { writeMail } from './write-mail.ts';

export interface MailQueueParts extends OutboxParts {
  blobs: Blobs;
  mailer: Mailer;
  /** The page of a guest, under an address that guests reach. */
  guestUrl(baseUrl: string, guestId: string): string;
}

const pollIntervalMs = 2000;
/** How soon a picture that is being made is looked at again. */
const unfinishedMs = 3000;
/** Waits before the second try and those after it. */
const waitsMs = [10, 60, 5 * 60, 30 * 60, 2 * 3600].map((seconds) => seconds * 1000);
export const longestMailWaitMs = Math.max(...waitsMs);
/** How long a mail server that has a mail is waited for when the process stops. */
const stopWaitMs = 20_000;
/** Mail servers of guests take 20 MB and less. */
const mostAttachedBytes = 12e6;

/** Sends mails that are due until stopped. */
export function startMailQueue(parts: MailQueueParts): { stop(): Promise<void> } {
  const { due, claim, renew } = mails;
  const stopping = new AbortController();
  const loop = startOutboxLoop(parts, {
    noun: 'mail',
    due,
    claim,
    renew,
    advance: (row) => advanceMail(parts, row, stopping.signal),
    nameOf: ({ id }) => id,
    waiting: mailWaiting,
    pollIntervalMs,
  });
  return {
    async stop() {
      const timer = setTimeout(() => stopping.abort(), stopWaitMs);
      await loop.stop();
      clearTimeout(timer);
      parts.mailer.close();
    },
  };
}

async function advanceMail(parts: MailQueueParts, row: EventMailRow, signal: AbortSignal): Promise<void> {
  const { db } = parts;
  const { id, claim, attempts } = row;
  const fail = (sentence: string, tries = attempts) =>
    db.run(mails.end, { id, claim, state: 'failed', sentence, attempts: tries, sent: 0 });
  const job = await db.one(findJob, { id: row.job_id, account_id: row.account_id });
  if (job && !hasEnded(job)) {
    await db.run(mails.giveBack, {
      id,
      claim,
      state: 'waiting',
      sentence: null,
      attempts,
      wait_ms: unfinishedMs,
    });
    return;
  }
  const message = job && job.result_key !== null ? await messageOf(parts, row, job) : null;
  if (!message) {
    await fail('The picture could not be made, or has had its time.');
    return;
  }
  // Each time its process has ended before the mail server had answered.
  if (attempts > waitsMs.length) {
    await fail('It is not known whether this mail was sent.');
    return;
  }
  const tries = attempts + 1;
  if ((await db.run(mails.noteTry, { id, claim, attempts: tries })) === 0) return;
  try {
    await parts.mailer.send(message, signal);
    await db.run(mails.end, { id, claim, state: 'sent', sentence: null, attempts: tries, sent: 1 });
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    const wait_ms = error.retryable ? waitsMs[attempts] : undefined;
    const sentence = error.message;
    if (wait_ms === undefined) await fail(sentence, tries);
    else await db.run(mails.giveBack, { id, claim, state: 'waiting', sentence, attempts: tries, wait_ms });
  }
  parts.changes.publish(row.event_id);
}

/** Null where the event sends no mail any more, or the picture is gone. */
async function messageOf(parts: MailQueueParts, row: EventMailRow, job: JobRow): Promise<MailMessage | null> {
  const event = await parts.db.one(findEventById, { id: row.event_id });
  const template = event && settingsOf(event).mail;
  if (!template) return null;
  const result = await openResult(parts.blobs, job.result_key!);
  if (!result) return null;
  const content = await buffer(result);
  const isVideo = findFamily(job.family)?.output === 'video';
  const file = isVideo
    ? { name: 'video.mp4', type: 'video/mp4' }
    : { name: 'picture.png', type: 'image/png' };
  const guestUrl = parts.guestUrl(row.base_url, row.guest_id);
  return {
    id: row.id,
    to: row.address,
    ...writeMail({ event, template, language: row.language, guestUrl }),
    attachment: template.attach && content.length <= mostAttachedBytes ? { ...file, content } : null,
  };
}
