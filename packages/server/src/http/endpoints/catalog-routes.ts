import {
  CaptureMode,
  CatalogEntry,
  type CatalogName,
  CatalogQuery,
  filterTypeOf,
} from '@guise/contract/catalogs.ts';
import { families } from '@guise/contract/families/families.ts';
import { PriceList } from '@guise/contract/families/prices.ts';
import type { z } from 'zod';
import type { HttpParts } from '../parts.ts';
import { baseUrlOf } from '../request.ts';
import { anyAccountScope, none, ok, type Route, route } from '../route.ts';
import { catalogOf, shapeCatalog } from './catalog-shape.ts';

const catalogLists: Route[] = (
  [
    ['listFaceSwapFiltersV1', '/v1/filters/', 'face_swap', 'Face swap filters'],
    ['listFaceSwapFiltersV5', '/v5/filters', 'face_swap', 'Face swap filters for v5'],
    ['listFaceSwapFiltersV6', '/v6/filters', 'face_swap', 'Face swap filters for v6'],
    ['listRealisticStyles', '/v1/realistic_multiswap_styles/', 'realistic', 'Multi swap styles, realistic'],
    ['listStylizedStyles', '/v1/stylized_multiswap_styles/', 'stylized', 'Multi swap styles, stylized'],
    ['listMultiSwapStylesV4', '/v4/multi_swap_styles/', 'realistic', 'Multi swap styles for v4'],
  ] as const
).map(([operation, path, catalog, summary]) =>
  route({
    ...none,
    method: 'GET',
    path,
    operation,
    scopes: anyAccountScope,
    tag: 'Catalogs',
    summary,
    query: CatalogQuery,
    success: catalogOf(CatalogEntry),
    handle: async (parts, request, reply) =>
      shapeCatalog(catalogEntries(parts, catalog, baseUrlOf(parts, request)), request, reply),
  }),
);

/** Older clients list these and send the id of one as `capture_mode`. */
const captureModes: z.infer<typeof CaptureMode>[] = [
  { id: '0', name: 'Single', modes: ['single'] },
  { id: '1', name: 'Group', modes: ['group'] },
];

export const catalogRoutes: Route[] = [
  ...catalogLists,
  route({
    ...none,
    method: 'GET',
    path: '/v1/workflows/',
    operation: 'listCaptureModes',
    scopes: anyAccountScope,
    tag: 'Catalogs',
    summary: 'Capture modes of the older face swap paths',
    query: CatalogQuery,
    success: catalogOf(CaptureMode),
    handle: async (_parts, request, reply) => shapeCatalog(captureModes, request, reply),
  }),
  {
    ...none,
    method: 'GET',
    path: '/v1/prices',
    operation: 'readPrices',
    scopes: anyAccountScope,
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
