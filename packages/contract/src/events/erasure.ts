import { z } from 'zod';

/** What was erased of an event, and what was not. */
export const EventErasure = z
  .object({
    event_id: z.string(),
    begun_at: z.iso.datetime(),
    erased_at: z.iso.datetime(),
    jobs: z.number().int(),
    results: z.number().int().meta({ description: 'Pictures and videos' }),
    photos: z.number().int().meta({ description: 'Of jobs that had not ended' }),
    consents: z.number().int(),
    guests: z.number().int(),
    stations: z.number().int().meta({ description: 'Records of booths' }),
    prints: z.number().int().default(0).meta({ description: 'Records of prints' }),
    mails: z.number().int().default(0).meta({ description: 'Addresses that pictures were sent to' }),
    keys_revoked: z.number().int(),
    job_ids: z.array(z.string()),
    remaining: z
      .object({
        jobs: z.number().int(),
        consents: z.number().int(),
        guests: z.number().int(),
        stations: z.number().int(),
        prints: z.number().int().default(0),
        mails: z.number().int().default(0),
        files: z.number().int(),
      })
      .meta({ description: 'Counted anew after erasing' }),
    kept: z.array(z.string()).meta({ description: 'What is not of the guests and stays, one sentence each' }),
  })
  .meta({ id: 'EventErasure' });
export type EventErasure = z.infer<typeof EventErasure>;
