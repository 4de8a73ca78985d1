import { type CatalogName, catalogNames, type FilterType } from '../catalogs.ts';
import { type FilterRef, Uuid } from '../common.ts';

/** A filter of a catalog, a custom filter or an alias, as those name it whose requests have one text and no ids. */
export interface NamedFilter {
  /** What lists show. No two have the same: `12 Great hall`, `stylized 3 Oil`, `My look [UUID]`. */
  title: string;
  /** The title without the name: `12`, `stylized 3`, a UUID. */
  key: string;
  /** Of an alias, its project. */
  name: string;
  kind: CatalogName | 'custom' | 'alias';
  /** Not that of an alias without a project, which is shown under the name of its filter. */
  isFoundByName: boolean;
  /** The catalog whose family makes pictures with it. */
  catalog: CatalogName;
  ref: FilterRef;
}

/** Everything that an account can make pictures with. */
export interface FilterLists {
  catalogs: Readonly<Record<CatalogName, readonly { id: string | number; name: string }[]>>;
  customFilters: readonly { id: string; name: string; filter_type: FilterType }[];
  aliases: readonly { id: string; project: string | null; ai_filter: string }[];
}

/** The family that makes pictures of one photo with the filters of a catalog. Face swap v1 tells the guest from the photo. */
export const familyOfCatalog = {
  face_swap: 'face_swap_v1',
  realistic: 'multi_swap_v5',
  stylized: 'stylized_multi_swap_v1',
} as const satisfies Record<CatalogName, string>;

/** Catalogs, custom filters, then aliases; those whose filter is gone are left out. */
export function nameFilters({ catalogs, customFilters, aliases }: FilterLists): NamedFilter[] {
  const own = customFilters.map(({ id, name, filter_type }) =>
    ownFilter({ id, name, kind: 'custom', catalog: filter_type === 'face_swap' ? 'face_swap' : 'realistic' }),
  );
  return [
    ...catalogNames.flatMap((catalog) => catalogs[catalog].map((entry) => catalogFilter(catalog, entry))),
    ...own,
    ...aliases.flatMap(({ id, project, ai_filter }) => {
      const filter = own.find(({ ref }) => ref === ai_filter);
      if (!filter) return [];
      const name = project?.trim() ?? '';
      const alias = ownFilter({ id, name: name || filter.name, kind: 'alias', catalog: filter.catalog });
      return [{ ...alias, isFoundByName: name !== '' }];
    }),
  ];
}

function catalogFilter(
  catalog: CatalogName,
  { id, name }: { id: string | number; name: string },
): NamedFilter {
  const key = catalog === 'face_swap' ? String(id) : `${catalog} ${id}`;
  return { title: `${key} ${name}`, key, name, kind: catalog, isFoundByName: true, catalog, ref: Number(id) };
}

function ownFilter({
  id,
  name,
  kind,
  catalog,
}: Pick<NamedFilter, 'name' | 'kind' | 'catalog'> & { id: string }): NamedFilter {
  return { title: `${name} [${id}]`, key: id, name, kind, isFoundByName: true, catalog, ref: id };
}

/** The filter that a text names, or a sentence that says why there is none. */
export type FilterSearch = { filter: NamedFilter } | { problem: string };

const none: FilterSearch = { problem: 'There is no filter with this name.' };

/**
 * Finds the filter that a text names: by its UUID, its id, its title, its name, or the first words of one name. Of several
 * with one name, an alias comes before a custom filter, both before the catalogs, and face swap before the others.
 */
export function searchFilters(all: readonly NamedFilter[], text: string): FilterSearch {
  const wanted = plainText(text);
  if (wanted === '') return none;
  const key = uuidOf(wanted) ?? wanted;
  const keyed = all.find((one) => one.key === key);
  if (keyed) return { filter: keyed };
  const byName = all.filter(({ isFoundByName }) => isFoundByName);
  const named = byName.filter(({ name }) => plainText(name) === wanted);
  if (named.length > 0) return chooseOne(named);
  const [, catalogAndId, words = ''] = numbered.exec(wanted) ?? [];
  const withId = all.find((one) => one.key === catalogAndId?.replace(faceSwapPrefix, ''));
  if (withId && `${plainText(withId.name)} `.startsWith(words && `${words} `)) return { filter: withId };
  const begun = byName.filter(({ name }) => plainText(name).startsWith(`${wanted} `));
  const names = new Map(begun.map(({ name }) => [plainText(name), name]));
  if (names.size > 1)
    return {
      problem: `Several filters begin with this: ${[...names.values()].join(', ')}. Name one of them.`,
    };
  if (begun.length > 0) return chooseOne(begun);
  if (withId) return { problem: `The filter ${withId.key} has another name: ${withId.name}.` };
  return catalogAndId === wanted ? { problem: `There is no filter ${catalogAndId}.` } : none;
}

const plainText = (text: string) => text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
const numbered = new RegExp(`^((?:(?:${catalogNames.join('|')}) )?\\d+)(?: (.*))?$`);
const faceSwapPrefix = /^face_swap /;

/** The UUID that a text is, or that stands at its end as in a title. */
export function uuidOf(text: string): string | undefined {
  const wanted = text.trim();
  return Uuid.safeParse(/\[([^[\]]*)\]$/.exec(wanted)?.[1] ?? wanted).data;
}

/** Of filters with one name. What is the caller's own was named by them. */
function chooseOne(named: readonly NamedFilter[]): FilterSearch {
  for (const kind of ['alias', 'custom', ...catalogNames] as const) {
    const [filter, ...others] = named.filter((one) => one.kind === kind);
    if (!filter) continue;
    if (others.length === 0) return { filter };
    const titles = [filter, ...others].map(({ title }) => title).join(', ');
    return { problem: `Several filters have this name: ${titles}. Name one of them by its id.` };
  }
  return none;
}
