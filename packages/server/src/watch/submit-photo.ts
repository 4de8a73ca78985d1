import type { Guise } from '@guise/client/guise.ts';
import { GuiseError } from '@guise/client/guise-error.ts';
import type { Gender } from '@guise/client/runs/family-inputs.ts';
import type { SubmittedJob } from '@guise/client/runs/run-jobs.ts';
import type { SubmitOptions } from '@guise/client/runs/submit-body.ts';
import { type Ratio, Uuid } from '@guise/contract/common.ts';
import { AppError } from '../errors.ts';

export type RunKind = 'face-swap' | 'group' | 'stylized';

/** What is made of every photo. */
export interface RunChoice {
  /** A number of the catalog, the id of a custom filter or an alias, or the project of an alias. */
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

const catalogs = { 'face-swap': 'face_swap', group: 'realistic', stylized: 'stylized' } as const;

/** Refuses a filter that there is not, and a key that is not valid. A server that is away may come. */
export async function assertFilterExists(
  guise: Guise,
  choice: RunChoice,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { filter, kind } = await findFilter(guise, choice, signal);
    if (typeof filter === 'string') return;
    const entries = await guise.catalogs.list(catalogs[kind], signal);
    if (!entries.some(({ id }) => id === String(filter)))
      throw new AppError('USAGE', `There is no filter ${filter} in the catalog ${catalogs[kind]}.`);
  } catch (error) {
    if (signal.aborted || (error instanceof GuiseError && error.retryable)) return;
    throw error instanceof GuiseError ? new AppError('USAGE', error.message, { cause: error }) : error;
  }
}

/** The filter that is meant, and what is made with it; refused when there is none. */
export async function findFilter(
  guise: Guise,
  { filter, kind }: RunChoice,
  signal: AbortSignal,
): Promise<{ filter: number | string; kind: RunKind }> {
  if (/^\d+$/.test(filter)) return { filter: Number(filter), kind: kind ?? 'face-swap' };
  const aliases = await guise.aliases.list(signal);
  const alias = aliases.find(({ id, project }) => id === filter.toLowerCase() || project === filter);
  if (!alias && !Uuid.safeParse(filter).success)
    throw new AppError('USAGE', `There is no alias whose id or project is ${filter}.`);
  const id = alias?.ai_filter ?? filter;
  const found = await guise.customFilters.get(id, signal).catch((error) => {
    throw error instanceof GuiseError && error.status === 404
      ? new AppError('USAGE', `There is no filter or alias ${filter}.`)
      : error;
  });
  const type = found.value.filter_type === 'multi_swap' ? 'group' : 'face-swap';
  return { filter: alias?.id ?? filter, kind: kind ?? type };
}
