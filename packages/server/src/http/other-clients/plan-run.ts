import { randomInt } from 'node:crypto';
import type { Ratio } from '@guise/contract/common.ts';
import type { AnyBody, FamilyName } from '@guise/contract/families/families.ts';
import { familyOfCatalog, type NamedFilter } from '@guise/contract/other-clients/named-filters.ts';
import { invalidField } from '../../errors.ts';

/** What a request of another interface asks for, in the words of this one. */
export interface WantedRun {
  /** Null where the prompt says what is made. */
  filter: NamedFilter | null;
  /** Each as the body of a run has it: base64, a URL, or the name of an upload. */
  photos: readonly string[];
  prompt: string | undefined;
  gender: number | undefined;
  ratio: Ratio;
  seed: number;
}

/** A run as a job family takes it, and what of it the answer repeats. */
export interface PlannedRun {
  family: FamilyName;
  body: AnyBody;
  filter: NamedFilter | null;
  seed: number;
  ratio: Ratio;
}

/** Chooses the family that makes what is asked for, and writes its body. */
export function planRun(wanted: WantedRun): PlannedRun {
  const { filter, photos, prompt, gender, ratio, seed } = wanted;
  const planned = { filter, seed, ratio };
  const [photo] = photos;
  if (!filter) {
    if (prompt === undefined) throw promptMissing();
    if (photos.length > 1)
      return {
        ...planned,
        family: 'multi_swap_self_prompt_v5',
        body: { input_images: [...photos], prompt, outpaint: false, seed },
      };
    return { ...planned, family: 'self_prompt_v2', body: { image: photo, prompt, gender, ratio, seed } };
  }
  const family = familyOfCatalog[filter.catalog];
  if (filter.catalog === 'face_swap')
    return { ...planned, family, body: { image: photo, filter_id: filter.ref, gender, ratio, seed } };
  return { ...planned, family, body: { input_image: photo, style_id: filter.ref, outpaint: false, seed } };
}

const promptMissing = () => invalidField('prompt', 'is required where no filter is named');

/** Whether the picture has the shape that its ratio says. Multi swaps have the shape of their photo. */
export function hasRatio({ family }: Pick<PlannedRun, 'family'>): boolean {
  return family === 'face_swap_v1' || family === 'self_prompt_v2';
}

const seeds = 2 ** 32;

/** The seed that was given, or any. A request that is repeated with its `Idempotency-Key` has the same seed again. */
export function chooseSeed(given: number | undefined, fingerprint: string | null): number {
  if (given !== undefined && Number.isInteger(given) && given >= 0) return given % seeds;
  return fingerprint ? Number.parseInt(fingerprint.slice(0, 8), 16) : randomInt(seeds);
}
