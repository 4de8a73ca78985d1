import type { FamilyName } from '@guise/contract/families/families.ts';
import type { Price } from '@guise/contract/families/prices.ts';
import { say } from '../../words/say.ts';

/** A filter as the wall shows it. */
export interface WallFilter {
  /** An integer of a catalog, or the UUID of a custom filter. */
  id: string;
  catalog: 'face_swap' | 'realistic' | 'stylized' | 'own';
  type: 'face_swap' | 'multi_swap';
  name: string;
  preview: string | null;
  /** The version that guests get, of own filters. */
  version: number | null;
}

export type Who = 'man' | 'woman' | 'boy' | 'girl' | 'group';
export type Shape = 'portrait' | 'landscape' | 'square';

/** Everything a person can choose on the screen. What does not belong to the kind of run is kept, and not sent. */
export interface RunChoice {
  kind: 'filter' | 'words' | 'video' | 'portrait';
  /** One, or several that are tried on the same photo. */
  filters: readonly WallFilter[];
  several: boolean;
  prompt: string;
  who: Who;
  shape: Shape;
  /** For groups: more photo is made around the photo. */
  outpaint: boolean;
  people: 'one' | 'group';
  style: 'realistic' | 'stylized';
  frames: 'one' | 'two';
  model: 'simple' | 'advanced' | 'performance';
  seconds: '4s' | '6s' | '8s';
  aspect: 'auto' | '16:9' | '9:16' | '3:2' | '2:3';
  /** Of one round of a living portrait. */
  loopSeconds: number;
  loop: 'ping_pong' | 'forward';
}

export const firstChoice: RunChoice = {
  kind: 'filter',
  filters: [],
  several: false,
  prompt: '',
  who: 'woman',
  shape: 'portrait',
  outpaint: false,
  people: 'one',
  style: 'realistic',
  frames: 'one',
  model: 'simple',
  seconds: '4s',
  aspect: 'auto',
  loopSeconds: 3,
  loop: 'ping_pong',
};

/** By the number that the interface has for each. */
export const whos: readonly Who[] = ['man', 'woman', 'boy', 'girl', 'group'];

/** So many filters are tried on a photo at once. */
export const mostFilters = 6;

/** A field of the request that holds a photo, by the photo that goes there. */
export type PhotoFields = Partial<Record<'first' | 'second', string>>;

/** A run as the interface takes it: everything but the photos, and where these go. */
export interface PlannedRun {
  family: FamilyName;
  body: Record<string, unknown>;
  photos: PhotoFields;
  /** Of a living portrait: so many shots, or a video. */
  burst?: number | 'video';
}

/** The family that makes a picture from words. */
export function promptFamily({ people, style }: Pick<RunChoice, 'people' | 'style'>) {
  if (people === 'one') return 'self_prompt_v2';
  return style === 'realistic' ? 'multi_swap_self_prompt_v5' : 'stylized_multi_swap_self_prompt_v1';
}

/** A run with the name that it is shown by. */
export interface NamedRun {
  name: string;
  plan: PlannedRun;
}

/** What there is to send: photos, and the shots of a burst. */
export interface ChosenPhotos {
  first: boolean;
  second: boolean;
  burst: number | 'video' | undefined;
}

/** What would be sent, one run for each filter, or a sentence about what is still missing. */
export function planRuns(choice: RunChoice, has: ChosenPhotos): NamedRun[] | string {
  if (choice.kind === 'portrait') {
    const [filter] = choice.filters;
    const plan = planPortrait(choice, filter, has.burst);
    return typeof plan === 'string' ? plan : [{ name: filter!.name, plan }];
  }
  const filters = choice.kind === 'filter' && choice.filters.length > 0 ? choice.filters : [undefined];
  const runs: NamedRun[] = [];
  for (const filter of filters) {
    const plan = planRun(choice, filter, has);
    if (typeof plan === 'string') return plan;
    runs.push({ name: filter?.name ?? choice.prompt, plan });
  }
  return runs;
}

function planPortrait(
  { who, shape, loopSeconds, loop }: RunChoice,
  filter: WallFilter | undefined,
  burst: ChosenPhotos['burst'],
): PlannedRun | string {
  if (burst === undefined) return say('Choose 2 to 8 photos');
  if (!filter) return say('Choose a filter');
  const id = filter.catalog === 'own' ? filter.id : Number(filter.id);
  const made =
    filter.type === 'face_swap'
      ? { filter_id: id, gender: whos.indexOf(who), ratio: shape }
      : { style_id: id, ...(filter.catalog === 'stylized' && { stylized: true }) };
  return {
    family: 'living_portrait',
    body: { ...made, seconds: loopSeconds, loop },
    photos: {},
    burst,
  };
}

function planRun(choice: RunChoice, filter: WallFilter | undefined, has: ChosenPhotos): PlannedRun | string {
  const { kind, prompt, who, shape, outpaint, people, frames } = choice;
  if (kind === 'filter') {
    if (!has.first) return say('Choose a photo');
    if (!filter) return say('Choose a filter');
    const id = filter.catalog === 'own' ? filter.id : Number(filter.id);
    if (filter.type === 'face_swap')
      return {
        family: 'face_swap_v6',
        body: { filter_id: id, gender: whos.indexOf(who), ratio: shape },
        photos: { first: 'base64' },
      };
    return {
      family: filter.catalog === 'stylized' ? 'stylized_multi_swap_v1' : 'multi_swap_v5',
      body: { style_id: id, outpaint },
      photos: { first: 'input_image' },
    };
  }
  if (!prompt.trim()) return kind === 'words' ? say('Describe the picture') : say('Describe what moves');
  if (kind === 'words') {
    if (people === 'one')
      return {
        family: 'self_prompt_v2',
        body: { prompt, ratio: shape, ...(has.first && { gender: whos.indexOf(who) }) },
        photos: has.first ? { first: 'image' } : {},
      };
    if (!has.first) return say('Choose a photo');
    return {
      family: promptFamily(choice),
      body: { prompt, outpaint },
      photos: { first: 'input_image' },
    };
  }
  if (!has.first) return say('Choose a photo');
  if (frames === 'two') {
    if (!has.second) return say('Choose the last frame');
    return {
      family: 'first_last_frame_video',
      body: { prompt, model: 'advanced', duration: choice.seconds },
      photos: { first: 'first_frame', second: 'last_frame' },
    };
  }
  return {
    family: 'single_frame_video',
    body: {
      prompt,
      model: choice.model,
      duration: choice.model === 'simple' ? '4s' : choice.seconds,
      aspect_ratio: choice.model === 'performance' ? choice.aspect : 'auto',
    },
    photos: { first: 'prompt_image' },
  };
}

/** Credits of all runs together; undefined where a price is not known. */
export function creditsOf(runs: readonly NamedRun[], prices: Record<string, Price>): number | undefined {
  const credits = runs.map(({ plan }) => creditsOfRun(plan, prices));
  return credits.reduce<number | undefined>(
    (sum, each) => (sum === undefined || each === undefined ? undefined : sum + each),
    0,
  );
}

function creditsOfRun({ family, body }: PlannedRun, prices: Record<string, Price>): number | undefined {
  const price = prices[family];
  if (price === undefined || typeof price === 'number') return price;
  const perSecond = price.perSecond[String(body.model)];
  return perSecond === undefined ? undefined : perSecond * Number.parseInt(String(body.duration), 10);
}
