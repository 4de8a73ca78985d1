import { z } from 'zod';

/** How ready one part of an event is: nothing to do, worth a look, or guests would be disappointed. */
export const PreflightState = z.enum(['green', 'amber', 'red']).meta({ id: 'PreflightState' });
export type PreflightState = z.infer<typeof PreflightState>;

/** What is looked at before an evening. */
export const preflightParts = [
  'address',
  'window',
  'offers',
  'overlays',
  'labels',
  'budget',
  'storage',
  'printer',
  'mail',
  'stations',
] as const;

export const PreflightCheck = z
  .object({
    part: z.enum(preflightParts),
    state: PreflightState,
    sentence: z.string().meta({ description: 'What was found' }),
    remedy: z.string().nullable().meta({ description: 'What to do about it' }),
  })
  .meta({ id: 'PreflightCheck' });
export type PreflightCheck = z.infer<typeof PreflightCheck>;

export const Preflight = z
  .object({
    state: PreflightState.meta({ description: 'The worst of its checks' }),
    checks: z.array(PreflightCheck),
    phone_url: z.string().meta({
      description:
        'To be opened with a phone in the network of the guests, by a QR code: `address` is green after that',
    }),
  })
  .meta({ id: 'Preflight' });
export type Preflight = z.infer<typeof Preflight>;
