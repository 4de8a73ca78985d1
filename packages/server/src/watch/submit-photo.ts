import type { Guise } from '@guise/client/guise.ts';
import { GuiseError } from '@guise/client/guise-error.ts';
import type { Gender } from '@guise/client/runs/family-inputs.ts';
import type { SubmittedJob } from '@guise/client/runs/run-jobs.ts';
import type { SubmitOptions } from '@guise/client/runs/submit-body.ts';
import type { Ratio } from '@guise/contract/common.ts';
import { nameFilters, searchFilters } from '@guise/contract/other-clients/named-filters.ts';
import { AppError } from '../errors.ts';

export type RunKind = 'face-swap' | 'group' | 'stylized';

/** What is made of every photo. */
export interface RunChoice {
  /** As every interface that has no ids names it: `12`, `realistic 3`, a UUID, a name, the project of an alias. */
  filter: string;
  kind?: RunKind;
  gender?: Gender;
  ratio?: Ratio;
}

/** Submits a photo. An alias is read anew each time, because it may point to a filter of the other kind by now. */
export async function submitPhoto(
  guise: Guise,
  choice: RunChoice,
  photo: Uint8Array,
  options: SubmitOptions & { signal: AbortSignal },
): Promise<SubmittedJob> {
  const { filter, kind } = await findFilter(guise, choice, options.signal);
  const { gender, ratio } = choice;
  if (kind === 'group') return guise.submit('multi_swap_v5', { photo, style: filter }, options);
  if (kind === 'stylized') return guise.submit('stylized_multi_swap_v1', { photo, style: filter }, options);
  return gender === undefined
    ? guise.submit('face_swap_v1', { photo, filter, ratio }, options)
    : guise.submit('face_swap_v6', { photo, filter, gender, ratio }, options);
}

const catalogOfKind = { 'face-swap': 'face_swap', group: 'realistic', stylized: 'stylized' } as const;
const kindOfCatalog = { face_swap: 'face-swap', realistic: 'group', stylized: 'stylized' } as const;

/** Refuses a filter that there is not, and a key that is not valid. A server that is away may come. */
export async function assertFilterExists(
  guise: Guise,
  choice: RunChoice,
  signal: AbortSignal,
): Promise<void> {
  try {
    await findFilter(guise, choice, signal);
  } catch (error) {
    if (signal.aborted || (error instanceof GuiseError && error.retryable)) return;
    throw error instanceof GuiseError ? new AppError('USAGE', error.message, { cause: error }) : error;
  }
}

/** The filter that is meant, and what is made with it; refused when there is none. */
export async function findFilter(
  guise: Guise,
  { filter: text, kind }: RunChoice,
  signal: AbortSignal,
): Promise<{ filter: number | string; kind: RunKind }> {
  const all = nameFilters(await guise.catalogs.all(signal)).filter(
    (one) => kind === undefined || typeof one.ref === 'string' || one.catalog === catalogOfKind[kind],
  );
  const isNumber = /^\s*\d+\s*$/.test(text);
  const found = searchFilters(all, isNumber && kind ? `${catalogOfKind[kind]} ${text.trim()}` : text);
  if ('problem' in found) throw new AppError('USAGE', `${text}: ${found.problem}`);
  const { ref, catalog } = found.filter;
  return { filter: ref, kind: kind ?? kindOfCatalog[catalog] };
}
