import { CatalogEntry, type CatalogName, filterTypeOf } from '@guise/contract/catalogs.ts';
import { families } from '@guise/contract/families/families.ts';
import { PriceList } from '@guise/contract/families/prices.ts';
import { z } from 'zod';
import type { HttpParts } from '../parts.ts';
import { baseUrlOf } from '../request.ts';
import { none, ok, type Route } from '../route.ts';

const catalogLists: Route[] = (
  [
    ['/v1/filters/', 'face_swap', 'Face swap filters'],
    ['/v5/filters', 'face_swap', 'Face swap filters for v5'],
    ['/v6/filters', 'face_swap', 'Face swap filters for v6'],
    ['/v1/realistic_multiswap_styles/', 'realistic', 'Multi swap styles, realistic'],
    ['/v1/stylized_multiswap_styles/', 'stylized', 'Multi swap styles, stylized'],
    ['/v4/multi_swap_styles/', 'realistic', 'Multi swap styles for v4'],
  ] as const
).map(([path, catalog, summary]) => ({
  ...none,
  method: 'GET',
  path,
  scopes: ['run', 'read', 'manage'],
  tag: 'Catalogs',
  summary,
  success: ok(z.array(CatalogEntry)),
  handle: async (parts, request) => catalogEntries(parts, catalog, baseUrlOf(parts, request)),
}));

export const catalogRoutes: Route[] = [
  ...catalogLists,
  {
    ...none,
    method: 'GET',
    path: '/v1/prices',
    scopes: ['run', 'read', 'manage'],
    tag: 'Catalogs',
    summary: 'What a run of each job family costs, in credits',
    success: ok(PriceList),
    handle: async (parts) => ({
      prices: Object.fromEntries(families.map(({ name, price }) => [name, parts.prices[name] ?? price])),
    }),
  },
];

function catalogEntries(parts: HttpParts, catalog: CatalogName, baseUrl: string): CatalogEntry[] {
  return parts.catalog.list(catalog).map((filter) => ({
    id: String(filter.id),
    name: filter.name,
    preview_url: `${baseUrl}/previews/${catalog}/${filter.id}.webp`,
    modes: filter.modes,
    filter_type: filterTypeOf(catalog),
  }));
}
