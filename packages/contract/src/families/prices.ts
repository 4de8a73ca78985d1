import { z } from 'zod';
import { type Duration, secondsOf, type VideoModel } from './video.ts';

const credits = z.int().min(0).max(1_000_000);

/** Credits for a run, or for each second of a video by its model. */
export const Price = z
  .union([credits, z.strictObject({ perSecond: z.record(z.string(), credits) })])
  .meta({ id: 'Price' });
export type Price = z.infer<typeof Price>;

export const PriceList = z
  .object({ prices: z.record(z.string(), Price).meta({ description: 'By the name of the job family' }) })
  .meta({ id: 'PriceList' });
export type PriceList = z.infer<typeof PriceList>;

/** What a run costs. A price by the second needs a video's parameters. */
export function priceOf(
  price: Price,
  { model, duration }: { model?: VideoModel | undefined; duration?: Duration | undefined },
): number {
  if (typeof price === 'number') return price;
  const perSecond = model && price.perSecond[model];
  if (perSecond === undefined || duration === undefined) throw new Error(`no price for the model ${model}`);
  return perSecond * secondsOf(duration);
}
