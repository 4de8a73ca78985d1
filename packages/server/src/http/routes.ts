import { accountRoutes, jobRoutes } from './endpoints/account-routes.ts';
import { aliasRoutes } from './endpoints/alias-routes.ts';
import { catalogRoutes } from './endpoints/catalog-routes.ts';
import { customFilterRoutes } from './endpoints/custom-filter-routes.ts';
import { jobPageRoutes } from './endpoints/job-routes.ts';
import { photoSetRoutes } from './endpoints/photo-set-routes.ts';
import { runRoutes, statusRoutes } from './endpoints/run-routes.ts';
import { serverRoutes } from './endpoints/server-routes.ts';
import { studioRoutes } from './endpoints/studio-routes.ts';
import { webhookRoutes } from './endpoints/webhook-routes.ts';
import type { Route } from './route.ts';

/** Every endpoint there is. */
export const routes: readonly Route[] = [
  ...runRoutes,
  ...statusRoutes,
  ...catalogRoutes,
  ...customFilterRoutes,
  ...aliasRoutes,
  ...jobRoutes,
  ...jobPageRoutes,
  ...accountRoutes,
  ...webhookRoutes,
  ...photoSetRoutes,
  ...serverRoutes,
  ...studioRoutes,
];
