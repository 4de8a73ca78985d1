import { accountRoutes, jobRoutes } from './endpoints/account-routes.ts';
import { catalogRoutes } from './endpoints/catalog-routes.ts';
import { engineRoutes } from './endpoints/engine-routes.ts';
import { engineWebhookRoutes } from './endpoints/engine-webhook-routes.ts';
import { boothRoutes } from './endpoints/events/booth-routes.ts';
import { eventDraftRoutes } from './endpoints/events/event-draft-routes.ts';
import { eventRoutes } from './endpoints/events/event-routes.ts';
import { mailRoutes } from './endpoints/events/mail-routes.ts';
import { preflightRoutes } from './endpoints/events/preflight-routes.ts';
import { printRoutes } from './endpoints/events/print-routes.ts';
import { stationRoutes } from './endpoints/events/station-routes.ts';
import { wallRoutes } from './endpoints/events/wall-routes.ts';
import { aliasDraftRoutes } from './endpoints/filters/alias-draft-routes.ts';
import { aliasRoutes } from './endpoints/filters/alias-routes.ts';
import { customFilterRoutes } from './endpoints/filters/custom-filter-routes.ts';
import { filterCreationRoutes } from './endpoints/filters/filter-creation-routes.ts';
import { filterDraftRoutes } from './endpoints/filters/filter-draft-routes.ts';
import { filterVersionRoutes } from './endpoints/filters/filter-version-routes.ts';
import { jobPageRoutes } from './endpoints/job-routes.ts';
import { keyRoutes } from './endpoints/key-routes.ts';
import { operatorRoutes } from './endpoints/operator-routes.ts';
import { pageRoutes } from './endpoints/page-routes.ts';
import { photoSetRoutes } from './endpoints/photo-set-routes.ts';
import { qaRoutes } from './endpoints/qa-routes.ts';
import { quickTestRoutes } from './endpoints/quick-test-routes.ts';
import { runRoutes, statusRoutes } from './endpoints/run-routes.ts';
import { sceneRoutes } from './endpoints/scene-routes.ts';
import { serverRoutes } from './endpoints/server-routes.ts';
import { sessionRoutes } from './endpoints/session-routes.ts';
import { webhookRoutes } from './endpoints/webhook-routes.ts';
import { mcpRoutes } from './other-clients/mcp/mcp-routes.ts';
import { openAiRoutes } from './other-clients/openai/openai-routes.ts';
import { photoRoutes } from './other-clients/photo/photo-routes.ts';
import { sdapiRoutes } from './other-clients/sdapi/sdapi-routes.ts';
import type { Route } from './route.ts';

/** Every endpoint there is. */
export const routes: readonly Route[] = [
  ...runRoutes,
  ...statusRoutes,
  ...catalogRoutes,
  ...customFilterRoutes,
  ...filterVersionRoutes,
  ...filterDraftRoutes,
  ...filterCreationRoutes,
  ...aliasRoutes,
  ...aliasDraftRoutes,
  ...jobRoutes,
  ...jobPageRoutes,
  ...accountRoutes,
  ...sessionRoutes,
  ...keyRoutes,
  ...webhookRoutes,
  ...engineWebhookRoutes,
  ...photoSetRoutes,
  ...sceneRoutes,
  ...operatorRoutes,
  ...engineRoutes,
  ...qaRoutes,
  ...quickTestRoutes,
  ...eventRoutes,
  ...eventDraftRoutes,
  ...boothRoutes,
  ...printRoutes,
  ...mailRoutes,
  ...preflightRoutes,
  ...wallRoutes,
  ...stationRoutes,
  ...sdapiRoutes,
  ...openAiRoutes,
  ...photoRoutes,
  ...mcpRoutes,
  ...serverRoutes,
  ...pageRoutes,
];
