import { z } from 'zod';

const credits = z.int().min(0).max(1_000_000);

/** Credits for a run, or for each second of a video by its model. */
export const Price = z.union([credits, z.strictObject({ perSecond: z.record(z.string(), credits) })]);
export type Price = z.infer<typeof Price>;

export function priceOf(price: Price, params: Record<string, unknown>): number {
  if (typeof price === 'number') return price;
  const perSecond = price.perSecond[String(params.model)];
  if (perSecond === undefined) throw new Error(`no price for the model ${params.model}`);
  return perSecond * Number.parseInt(String(params.duration), 10);
}
