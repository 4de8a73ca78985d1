import { groupGender } from '@guise/contract/common.ts';
import type { NewEventJob } from '@guise/contract/events/event-guests.ts';
import type { Offer } from '@guise/contract/events/offers.ts';
import { type AnyBody, catalogOf, type Family, familyOf, modeOf } from '@guise/contract/families/families.ts';
import { priceOf } from '@guise/contract/families/prices.ts';
import { type ResolvedFilter, resolveFilter } from '../catalog/resolve.ts';
import { AppError } from '../errors.ts';
import type { SubmitParts } from '../jobs/submit.ts';
import type { Db } from '../store/db.ts';
import { findAlias, findCustomFilter, previewKeysOf } from '../store/filter-records.ts';

const families = {
  group: 'multi_swap_v5',
  stylized: 'stylized_multi_swap_v1',
  video: 'single_frame_video',
  living_portrait: 'living_portrait',
} as const;

/** What a guest chose beside the offer. */
export type GuestChoices = Pick<NewEventJob, 'gender' | 'ratio'>;

type PortraitOffer = Extract<Offer, { kind: 'living_portrait' }>;

/** The run that an offer stands for, without its photos. Face swap v1 tells the guest from the photo; v6 must be told. */
export function runOf(
  offer: Offer,
  { gender, ratio = 'portrait' }: GuestChoices,
): { family: Family; body: AnyBody } {
  if (offer.kind === 'single') {
    if (gender === groupGender) throw oneGuestOnly();
    const family = familyOf(gender === undefined ? 'face_swap_v1' : 'face_swap_v6');
    return { family, body: { filter_id: offer.filter_id, gender, ratio, quality_mode: 'v6.1' } };
  }
  const family = familyOf(families[offer.kind]);
  if (offer.kind === 'living_portrait') return { family, body: portraitBodyOf(offer, { gender, ratio }) };
  if (offer.kind !== 'video') return { family, body: { style_id: offer.filter_id, outpaint: false } };
  const { prompt, model, duration, aspect_ratio } = offer;
  return { family, body: { prompt, model, duration, aspect_ratio } };
}

function portraitBodyOf(offer: PortraitOffer, { gender, ratio }: GuestChoices): AnyBody {
  const { catalog, filter_id, seconds, loop } = offer;
  const asked = { seconds, loop, format: 'mp4' } as const;
  if (catalog !== 'face_swap') return { ...asked, style_id: filter_id, stylized: catalog === 'stylized' };
  if (gender === groupGender) throw oneGuestOnly();
  return { ...asked, filter_id, gender, ratio };
}

/** Whether an offer is of one person of the photo. */
export function isOfOnePerson(offer: Offer): boolean {
  return offer.kind === 'single' || (offer.kind === 'living_portrait' && offer.catalog === 'face_swap');
}

/** The filter that an offer is made with; null for videos. */
export async function resolveOffer(
  parts: Pick<SubmitParts, 'db' | 'catalog'>,
  accountId: string,
  offer: Offer,
): Promise<ResolvedFilter | null> {
  const { family, body } = runOf(offer, {});
  const catalog = catalogOf(family, body);
  if (offer.kind === 'video' || !catalog) return null;
  return resolveFilter(parts, accountId, catalog, offer.filter_id, modeOf(family, body));
}

/** What a job of an offer costs. */
export function offerPrice(prices: SubmitParts['prices'], offer: Offer): number {
  const { family } = runOf(offer, {});
  return priceOf(prices[family.name] ?? family.price, offer.kind === 'video' ? offer : {});
}

function oneGuestOnly(): AppError {
  const fields = [{ path: 'gender', message: 'must be 0 to 3' }];
  return new AppError('VALIDATION_ERROR', 'gender: must be 0 to 3.', { fields });
}

/** Refuses offers that no job could be made with. */
export async function checkOffers(
  parts: Pick<SubmitParts, 'db' | 'catalog'>,
  accountId: string,
  offers: readonly Offer[],
): Promise<void> {
  for (const offer of offers) {
    const { family, body } = runOf(offer, {});
    const problem = family.check?.(body);
    if (problem) throw new AppError(problem.code, `Offer ${offer.id}: ${problem.sentence}`);
    try {
      await resolveOffer(parts, accountId, offer);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new AppError(error.code, `Offer ${offer.id}: ${error.message}`);
    }
  }
}

/** Where the previews of offers are. */
export interface PreviewLinks {
  toCatalog(catalog: string, id: number): string;
  toBlob(key: string): string;
}

/** A picture that shows what an offer makes; null where there is none. */
export async function previewOf(
  db: Db,
  accountId: string,
  offer: Offer,
  links: PreviewLinks,
): Promise<string | null> {
  if (offer.kind === 'video') return null;
  const { filter_id } = offer;
  if (typeof filter_id === 'number') {
    const { family, body } = runOf(offer, {});
    return links.toCatalog(catalogOf(family, body) ?? 'face_swap', filter_id);
  }
  const own = { account_id: accountId };
  const alias = await db.one(findAlias, { ...own, id: filter_id });
  const filter = await db.one(findCustomFilter, { ...own, id: alias?.ai_filter ?? filter_id });
  const [preview] = filter ? previewKeysOf(filter) : [];
  return preview === undefined ? null : links.toBlob(preview);
}
