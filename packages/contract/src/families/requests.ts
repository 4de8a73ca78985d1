import { FilterDefinition } from '../filters.ts';
import { canvasSizes, type Size, videoSizes } from './canvas.ts';
import { type AnyParams, type FamilyName, familyOf, type OutputOf, type ParamsOf } from './families.ts';

interface RequestOf<Name extends FamilyName> {
  family: Name;
  output: OutputOf<Name>;
  params: ParamsOf<Name>;
  /** What the filter or style says to make; null for self-prompts and videos. */
  filter: FilterDefinition | null;
  /** What the caller or the filter asks for in words. */
  prompt: string | null;
  /** The size that the parameters name; null where the result takes its shape from the first photo. */
  size: Size | null;
}

/** What a job asks for, parsed and checked. `family` and `output` tell which parameters it has. */
export type GenerationRequest = { [Name in FamilyName]: RequestOf<Name> }[FamilyName];

/** A request from values whose types are known. */
export function requestFor<Name extends FamilyName>(
  family: Name,
  params: ParamsOf<Name>,
  filter: FilterDefinition | null,
): RequestOf<Name> {
  const { prompt }: AnyParams = params;
  return {
    family,
    output: familyOf(family).output as OutputOf<Name>,
    params,
    filter,
    prompt: (filter?.kind === 'prompt' ? filter.prompt : prompt) ?? null,
    size: sizeOf(params),
  };
}

function sizeOf({ ratio, aspect_ratio }: AnyParams): Size | null {
  if (ratio) return canvasSizes[ratio];
  return aspect_ratio && aspect_ratio !== 'auto' ? videoSizes[aspect_ratio] : null;
}

/** A request from stored values; throws when they are not what its family takes. */
export function parseRequest(name: string, params: unknown, filter: unknown): GenerationRequest {
  const family = familyOf(name);
  return requestFor(
    family.name,
    family.params.parse(params) as ParamsOf<FamilyName>,
    filter === null ? null : FilterDefinition.parse(filter),
  ) as GenerationRequest;
}
