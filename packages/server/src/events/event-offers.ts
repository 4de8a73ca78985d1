import { groupGender } from '@guise/contract/common.ts';
import { withDetails } from '@guise/contract/events/details.ts';
import type { NewEventJob } from '@guise/contract/events/event-guests.ts';
import { type boothKinds, type Offer, takeOf } from '@guise/contract/events/offers.ts';
import {
  type AnyBody,
  catalogOf,
  type Family,
  familyOf,
  filterRefOf,
  modeOf,
} from '@guise/contract/families/families.ts';
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

/** The family of a prompt for whom the filters of each catalog are for, and how booths show it. */
const ofPrompts = {
  face_swap: { family: 'self_prompt_v2', kind: 'single' },
  realistic: { family: 'multi_swap_self_prompt_v5', kind: 'group' },
  stylized: { family: 'stylized_multi_swap_self_prompt_v1', kind: 'stylized' },
} as const;

/** What a guest chose beside the offer. */
export type GuestChoices = Partial<Pick<NewEventJob, 'gender' | 'ratio' | 'variation'>> & {
  /** What stands for the guest's details in prompts. */
  words?: Readonly<Record<string, string>>;
};

/** The kind of an offer as booths see it. */
export const boothKindOf = (offer: Offer): (typeof boothKinds)[number] =>
  offer.kind === 'prompt' ? ofPrompts[offer.catalog].kind : offer.kind;

type PortraitOffer = Extract<Offer, { kind: 'living_portrait' }>;

/** The run that an offer stands for, without its photos. Face swap v1 tells the guest from the photo; v6 must be told. */
export function runOf(
  offer: Offer,
  { gender, ratio = 'portrait', variation = 0, words = {} }: GuestChoices,
): { family: Family; body: AnyBody } {
  if (offer.kind === 'single') {
    if (gender === groupGender) throw oneGuestOnly();
    const family = familyOf(gender === undefined ? 'face_swap_v1' : 'face_swap_v6');
    return { family, body: { filter_id: filterOf(offer, variation), gender, ratio, quality_mode: 'v6.1' } };
  }
  if (offer.kind === 'prompt') return promptRunOf(offer, { gender, ratio, words });
  const family = familyOf(families[offer.kind]);
  if (offer.kind === 'living_portrait') return { family, body: portraitBodyOf(offer, { gender, ratio }) };
  if (offer.kind !== 'video')
    return { family, body: { style_id: filterOf(offer, variation), outpaint: false } };
  const { model, duration, aspect_ratio } = offer;
  return { family, body: { prompt: promptWith(offer.prompt, words), model, duration, aspect_ratio } };
}

type PhotoOffer = Extract<Offer, { variations: unknown }>;
type PromptOffer = Extract<Offer, { kind: 'prompt' }>;

/** The filter of a variation; 0 is the offer's own. One that was taken out meanwhile is made with that. */
const filterOf = ({ filter_id, variations }: PhotoOffer, variation: number) =>
  variation === 0 ? filter_id : (variations[variation - 1] ?? filter_id);

/** Where nothing is left of a prompt of places alone, it asks for nothing in particular. */
const promptWith = (prompt: string, words: Readonly<Record<string, string>>) =>
  withDetails(prompt, words) || 'a portrait';

function promptRunOf(offer: PromptOffer, { gender, ratio, words = {} }: GuestChoices) {
  const family = familyOf(ofPrompts[offer.catalog].family);
  const prompt = promptWith(offer.prompt, words);
  if (offer.catalog !== 'face_swap') return { family, body: { prompt, outpaint: false } };
  if (gender === groupGender) throw oneGuestOnly();
  return { family, body: { prompt, gender, ratio } };
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
  return offer.kind === 'single' || ('catalog' in offer && offer.catalog === 'face_swap');
}

/** The filter that an offer is made with; null for videos and prompts. */
export async function resolveOffer(
  parts: Pick<SubmitParts, 'db' | 'catalog'>,
  accountId: string,
  offer: Offer,
  variation = 0,
): Promise<ResolvedFilter | null> {
  const { family, body } = runOf(offer, { variation });
  const catalog = catalogOf(family, body);
  const ref = filterRefOf(family, body);
  if (!catalog || ref === undefined) return null;
  return resolveFilter(parts, accountId, catalog, ref, modeOf(family, body));
}

/** What one touch of a guest for an offer costs: all its shots, or all its variations. */
export function offerPrice(prices: SubmitParts['prices'], offer: Offer): number {
  const { family } = runOf(offer, {});
  return (
    takeOf(offer).pictures * priceOf(prices[family.name] ?? family.price, offer.kind === 'video' ? offer : {})
  );
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
      for (let variation = 0; variation <= takeOf(offer).variations; variation++)
        await resolveOffer(parts, accountId, offer, variation);
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
  if (!('filter_id' in offer)) return null;
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
