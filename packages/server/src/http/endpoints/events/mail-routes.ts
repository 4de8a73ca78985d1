import {
  EventMailList,
  GuestMail,
  NewMail,
  NewTestMail,
  NewTextMessage,
} from '@guise/contract/events/mails.ts';
import { Page } from '@guise/contract/jobs.ts';
import { AppError } from '../../../errors.ts';
import {
  createMail,
  type PictureToSend,
  readMails,
  requestTextMessage,
} from '../../../events/mailing/event-mails.ts';
import { newId } from '../../../ids.ts';
import { MailFailure } from '../../../mail/mailer.ts';
import { sentBaseUrlOf } from '../../access/guest-address.ts';
import type { HttpParts } from '../../parts.ts';
import { callerOf, eventGuestOf, eventOfBooth, idOf } from '../../request.ts';
import { json, none, ok, type Route, type RouteRequest, route } from '../../route.ts';

const booth = { access: 'booth', scopes: [], tag: 'Booth', countedPerCredential: 'mails' } as const;
const guest = {
  access: 'event_guest',
  scopes: [],
  tag: 'Guests of events',
  countedPerCredential: 'mails',
} as const;

/** The picture of the path, for whoever asks. */
async function wantedOf(parts: HttpParts, request: RouteRequest): Promise<PictureToSend> {
  const baseUrl = await sentBaseUrlOf(parts, request);
  if (request.eventOfBooth) {
    const by = { keyId: callerOf(request).key_id };
    return { event: eventOfBooth(request), by, id: idOf(request), baseUrl };
  }
  const { event, guest: asking } = eventGuestOf(request);
  return { event, by: { guestId: asking.id }, id: idOf(request), baseUrl };
}

const sendMail = async (parts: HttpParts, request: RouteRequest<NewMail>) =>
  createMail(parts, await wantedOf(parts, request), request.body);

async function sendText(parts: HttpParts, request: RouteRequest<NewTextMessage>): Promise<void> {
  const wanted = await wantedOf(parts, request);
  const guestUrl = (guestId: string) => `${wanted.baseUrl}/g/${parts.guestTokens.create(guestId)}`;
  await requestTextMessage(parts, wanted, guestUrl, request.body);
}

/** Who tries the settings waits for it: the queue is more patient. */
const testMailMs = 30_000;

async function sendTestMail({ mailer }: HttpParts, { address }: NewTestMail): Promise<void> {
  if (!mailer) throw new AppError('NO_MAIL', 'This installation sends no mail: set GUISE_SMTP_URL.');
  const text = 'This is a test mail of Guise. Pictures can be sent to guests.';
  const message = { id: newId(), to: address, subject: 'Guise test mail', text, html: `<p>${text}</p>` };
  try {
    await mailer.send({ ...message, attachment: null }, AbortSignal.timeout(testMailMs));
  } catch (error) {
    if (error instanceof MailFailure) throw new AppError('MAIL_NOT_SENT', error.message);
    throw error;
  }
}

export const mailRoutes: Route[] = [
  route({
    ...json,
    ...guest,
    method: 'POST',
    path: '/v1/guest/pictures/{id}/mail',
    operation: 'mailGuestPicture',
    summary: 'Send a picture of the guest to an address that the guest gives',
    body: NewMail,
    success: { status: 201, shape: GuestMail },
    handle: sendMail,
  }),
  route({
    ...json,
    ...booth,
    method: 'POST',
    path: '/v1/booth/jobs/{id}/mail',
    operation: 'mailBoothPicture',
    summary: 'Send a picture that this key submitted to an address that the guest gives',
    body: NewMail,
    success: { status: 201, shape: GuestMail },
    handle: sendMail,
  }),
  route({
    ...json,
    ...guest,
    method: 'POST',
    path: '/v1/guest/pictures/{id}/message',
    operation: 'messageGuestPicture',
    summary: 'Ask the event’s webhook to send the link by SMS or WhatsApp',
    body: NewTextMessage,
    success: { status: 204 },
    handle: sendText,
  }),
  route({
    ...json,
    ...booth,
    method: 'POST',
    path: '/v1/booth/jobs/{id}/message',
    operation: 'messageBoothPicture',
    summary: 'Ask the event’s webhook to send the link by SMS or WhatsApp',
    body: NewTextMessage,
    success: { status: 204 },
    handle: sendText,
  }),
  route({
    ...none,
    scopes: ['read'],
    tag: 'Events',
    method: 'GET',
    path: '/v1/events/{id}/mails',
    operation: 'listEventMails',
    summary: 'Mails to guests of an event with their addresses and consents, newest first',
    query: Page,
    success: ok(EventMailList),
    handle: (parts, request) =>
      readMails(parts.db, { id: idOf(request), account_id: callerOf(request).id }, request.query),
  }),
  route({
    ...json,
    scopes: ['operator'],
    tag: 'Operator',
    method: 'POST',
    path: '/v1/mail/test',
    operation: 'sendTestMail',
    summary: 'Send a test mail by the mail server of the installation',
    body: NewTestMail,
    counted: 'tests',
    success: { status: 204 },
    handle: (parts, request) => sendTestMail(parts, request.body),
  }),
];
