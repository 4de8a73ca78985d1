import { z } from 'zod';
import { Language } from './labels.ts';

/** Addresses that one guest may send pictures to, which keeps a guest's page from being used for spam. */
export const mostMailsOfGuest = 5;

/** A guest asks for a picture by mail. */
export const NewMail = z
  .object({
    address: z.email('must be an email address').max(254),
    language: Language.optional().meta({ description: 'Of the mail; without it, the first of the event' }),
    consent: z
      .boolean()
      .refine((agrees) => agrees, 'must be true: the guest agrees that the address is used for this mail')
      .meta({ description: 'That the guest agrees to get this mail; its time is kept with the address' }),
  })
  .meta({ id: 'NewMail' });
export type NewMail = z.infer<typeof NewMail>;

export const MailState = z.enum(['waiting', 'sent', 'failed']).meta({ id: 'MailState' });
export type MailState = z.infer<typeof MailState>;

/** A mail as its guest sees it. */
export const GuestMail = z
  .object({ id: z.string(), state: MailState, sentence: z.string().nullable() })
  .meta({ id: 'GuestMail' });
export type GuestMail = z.infer<typeof GuestMail>;

/** A mail as the account sees it. */
export const EventMail = z
  .object({
    id: z.string(),
    job_id: z.string(),
    address: z.string(),
    language: z.string(),
    state: MailState,
    attempts: z.number().int(),
    sentence: z.string().nullable().meta({ description: 'What the mail server answered, where it refused' }),
    consent_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'EventMail' });
export type EventMail = z.infer<typeof EventMail>;

export const EventMailList = z
  .object({ mails: z.array(EventMail), next_cursor: z.string().nullable() })
  .meta({ id: 'EventMailList' });
export type EventMailList = z.infer<typeof EventMailList>;

/** A guest asks for the link by a text message, which somebody else sends who is told by the event's webhook. */
export const NewTextMessage = z
  .object({
    channel: z.enum(['sms', 'whatsapp']),
    number: z
      .string()
      .regex(/^\+[1-9]\d{6,14}$/, 'must be a number such as +4915112345678')
      .meta({ description: 'With the code of the country' }),
    consent: z
      .boolean()
      .refine((agrees) => agrees, 'must be true: the guest agrees that the number is used for this message'),
  })
  .meta({ id: 'NewTextMessage' });
export type NewTextMessage = z.infer<typeof NewTextMessage>;

/** To try the settings of an installation. */
export const NewTestMail = z.object({ address: z.email('must be an email address').max(254) }).meta({
  id: 'NewTestMail',
});
export type NewTestMail = z.infer<typeof NewTestMail>;
