import type { JobDetail } from '@guise/contract/job-details.ts';
import { type RunChoice, type Shape, type WallFilter, whos } from './run-choice.ts';

type Params = Record<string, unknown>;

const textOf = (params: Params, name: string) =>
  typeof params[name] === 'string' ? params[name] : undefined;

/** What was chosen for a job, to make something like it again; undefined where it cannot be told any more. */
export function choiceOfJob(
  { family, params, filter }: Pick<JobDetail, 'family' | 'params' | 'filter'>,
  filters: readonly WallFilter[],
): Partial<RunChoice> | undefined {
  if (params === null) return undefined;
  const common = optionsOf(params);
  if (family === 'living_portrait') return portraitOf(common, params, filter, filters);
  if (family.endsWith('_video')) return { ...common, ...videoOf(family, params) };
  const prompt = textOf(params, 'prompt');
  if (prompt !== undefined)
    return {
      ...common,
      kind: 'words',
      prompt,
      people: family === 'self_prompt_v2' ? 'one' : 'group',
      style: family.startsWith('stylized') ? 'stylized' : 'realistic',
    };
  const found = filters.find(
    ({ id, catalog }) => id === filter && (catalog === 'own' || catalog === catalogOf(family)),
  );
  return found && { ...common, kind: 'filter', filters: [found], several: false };
}

function catalogOf(family: string): WallFilter['catalog'] {
  if (family.startsWith('face_swap')) return 'face_swap';
  return family.startsWith('stylized') ? 'stylized' : 'realistic';
}

/** Those that the job was not told keep what is chosen now. */
function optionsOf(params: Params): Partial<RunChoice> {
  const who = whos[Number(params.gender ?? Number.NaN)];
  const shape = textOf(params, 'ratio') as Shape | undefined;
  return {
    ...(who && { who }),
    ...(shape && { shape }),
    ...(typeof params.outpaint === 'boolean' && { outpaint: params.outpaint }),
  };
}

function portraitOf(
  common: Partial<RunChoice>,
  params: Params,
  filter: string | null,
  filters: readonly WallFilter[],
): Partial<RunChoice> | undefined {
  const catalog = 'filter_id' in params ? 'face_swap' : params.stylized === true ? 'stylized' : 'realistic';
  const found = filters.find((one) => one.id === filter && ['own', catalog].includes(one.catalog));
  return (
    found && {
      ...common,
      kind: 'portrait',
      filters: [found],
      several: false,
      loopSeconds: Number(params.seconds ?? 3),
      loop: (textOf(params, 'loop') ?? 'ping_pong') as RunChoice['loop'],
    }
  );
}

function videoOf(family: string, params: Params): Partial<RunChoice> {
  return {
    kind: 'video',
    prompt: textOf(params, 'prompt') ?? '',
    frames: family === 'first_last_frame_video' ? 'two' : 'one',
    model: textOf(params, 'model') as RunChoice['model'],
    seconds: textOf(params, 'duration') as RunChoice['seconds'],
    aspect: (textOf(params, 'aspect_ratio') ?? 'auto') as RunChoice['aspect'],
  };
}
