import { accountRoutes, jobRoutes } from './account-routes.ts';
import { aliasRoutes } from './alias-routes.ts';
import { catalogRoutes } from './catalog-routes.ts';
import { customFilterRoutes } from './custom-filter-routes.ts';
import type { Route } from './route.ts';
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
];
