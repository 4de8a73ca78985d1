import type { Ratio } from '@guise/contract/common.ts';
import { type AnyBody, type Family, familyOf } from '@guise/contract/families/families.ts';
import { priceOf } from '@guise/contract/families/prices.ts';
import type { Submitted } from '@guise/contract/jobs.ts';
import type { Prices } from '../credits/prices.ts';
import { type Idempotency, type SubmitParts, submit } from '../jobs/submit.ts';
import type { ImageBytes } from '../media/upload.ts';
import type { Queries } from '../store/db.ts';
import type { CustomFilterRow } from '../store/schema.ts';

/** A custom filter and a photo that was inspected. */
export interface TestRun {
  accountId: string;
  /** The key whose budget pays, beside the account. */
  keyId: string | null;
  /** The key that made the link, whose budget pays too. */
  makerId?: string | null;
  quickTestLinkId?: string;
  filter: Pick<CustomFilterRow, 'id' | 'filter_type'>;
  /** Without it, the current one. */
  version?: number;
  photo: ImageBytes;
  gender?: number | undefined;
  ratio?: Ratio | undefined;
  idempotency?: Idempotency | null;
  onAccept(tx: Queries, jobId: string): Promise<void>;
}

/** Submits the job that shows what a filter makes of a photo: charged, queued and kept as one of a run endpoint. */
export function submitTest(parts: SubmitParts, test: TestRun): Promise<Submitted> {
  const { filter, photo, gender, ratio, idempotency = null, ...run } = test;
  const body: AnyBody =
    filter.filter_type === 'multi_swap'
      ? { style_id: filter.id, outpaint: false }
      : { filter_id: filter.id, gender, ratio: ratio ?? 'portrait', quality_mode: 'v6.1' };
  const family = testFamily(filter.filter_type, gender);
  // Nobody was asked whether the people of a photo set, or whoever opened a link, want it to go to a company.
  return submit(parts, { ...run, family, body, photos: [photo], idempotency, photosStay: true });
}

/** What a test costs that names no gender. */
export function testPrice(prices: Prices, { filter_type }: Pick<CustomFilterRow, 'filter_type'>): number {
  const family = testFamily(filter_type);
  return priceOf(prices[family.name] ?? family.price, {});
}

/** Face swap v1 tells the guest from the photo; v6 must be told. The local engine makes the same picture for both. */
function testFamily(type: CustomFilterRow['filter_type'], gender?: number): Family {
  if (type === 'multi_swap') return familyOf('multi_swap_v5');
  return familyOf(gender === undefined ? 'face_swap_v1' : 'face_swap_v6');
}
