import { z } from 'zod';
import { accountRoutes, jobRoutes } from './account-routes.ts';
import { aliasRoutes } from './alias-routes.ts';
import { baseUrlOf } from './call.ts';
import { catalogRoutes } from './catalog-routes.ts';
import { customFilterRoutes } from './custom-filter-routes.ts';
import { openApi } from './openapi.ts';
import { ok, open, type Route } from './route.ts';
import { runRoutes, statusRoutes } from './run-routes.ts';
import { serverRoutes } from './server-routes.ts';

/** Every endpoint there is. */
export const routes: readonly Route[] = [
  ...runRoutes,
  ...statusRoutes,
  ...catalogRoutes,
  ...customFilterRoutes,
  ...aliasRoutes,
  ...jobRoutes,
  ...accountRoutes,
  ...serverRoutes,
  {
    ...open,
    method: 'GET',
    path: '/openapi.json',
    summary: 'This interface as an OpenAPI document',
    success: ok(z.looseObject({ openapi: z.string() })),
    handle: async (parts, call) => openApi(routes, baseUrlOf(parts, call)),
  },
];
