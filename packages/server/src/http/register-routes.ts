import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DiskSpace } from '../store/embedded/disk-space.ts';
import { StorageFull } from '../store/storage-unavailable.ts';
import { createCredentialLimits } from './access/credential-limits.ts';
import { createEventGuestAccess } from './access/event-guest-access.ts';
import { createGuestAccess } from './access/guest-access.ts';
import { createLinkAccess } from './access/link-access.ts';
import { createAccountLimits } from './account-limits.ts';
import { authenticate, authenticateBooth } from './authenticate.ts';
import { addBodyParser, type BodyResources } from './body-parsers.ts';
import { repeatEarlierRun } from './endpoints/submit-run.ts';
import { routerPath } from './openapi/openapi.ts';
import type { HttpParts } from './parts.ts';
import { addPageSupport } from './reference-page.ts';
import type { Route, RouteRequest } from './route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The row of the table that a route was made from; none where no route matched. */
    row?: Route;
  }
}

/** Makes Fastify's routes of the rows, in one scope for each kind of body and one for pages. */
export async function registerRoutes(
  app: FastifyInstance,
  parts: HttpParts,
  rows: readonly Route[],
  bodies: BodyResources,
): Promise<void> {
  const addRoute = await routeAdder(app, parts);
  const [pages, others] = [rows.filter((row) => row.isPage), rows.filter((row) => !row.isPage)];
  for (const [kind, ofKind] of Map.groupBy(others, (row) => row.bodyKind)) {
    await app.register(async (scope) => {
      addBodyParser(scope, kind, bodies);
      for (const row of ofKind) addRoute(scope, row);
    });
  }
  await app.register(async (scope) => {
    await addPageSupport(scope);
    for (const row of pages) addRoute(scope, row);
  });
}

async function routeAdder(app: FastifyInstance, parts: HttpParts) {
  const limits = await createAccountLimits(app, { runs: parts.runsPerMinute, tests: parts.testsPerMinute });
  const credentialLimits = createCredentialLimits(app);
  const guests = createGuestAccess(app, parts);
  const checkEventGuest = createEventGuestAccess(app, parts);
  const checkLink = createLinkAccess(app, parts);
  return (scope: FastifyInstance, row: Route) => {
    const limit = row.counted && limits[row.counted];
    const { isCounted, countedMore } = row;
    const credentialLimit = row.countedPerCredential ? [credentialLimits[row.countedPerCredential]] : [];
    const options = {
      url: routerPath(row.path),
      ...(row.maxBody !== undefined && { bodyLimit: row.maxBody }),
      schema: { ...(row.body && { body: row.body }), ...(row.query && { querystring: row.query }) },
      config: { row },
      // Before the body is read, so that 28 MB without credentials, or of a run beyond the limit, are not received.
      ...((row.access === 'account' || row.access === 'booth') && {
        onRequest: [
          (request: FastifyRequest, reply: FastifyReply) =>
            row.access === 'booth'
              ? authenticateBooth(parts, request)
              : authenticate(parts, request, reply, row),
          // Rows with a limit of their own take photos.
          ...(row.maxBody !== undefined ? [() => refuseWhenDiskIsFull(parts.disk)] : []),
          ...(limit && !isCounted ? [limit] : []),
          ...credentialLimit,
        ],
      }),
      ...(limit &&
        (isCounted || countedMore) && {
          preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
            if (isCounted && !isCounted(request.body)) return;
            const more = countedMore?.(request.body) ?? 0;
            for (let left = isCounted ? 1 + more : more; left > 0; left--) await limit(request, reply);
          },
        }),
      ...(row.checkHeaders && {
        onRequest: (request: FastifyRequest, reply: FastifyReply) => row.checkHeaders!(parts, request, reply),
      }),
      ...(row.access === 'event_guest' && { onRequest: [checkEventGuest, ...credentialLimit] }),
      ...((row.access === 'wall' || row.access === 'gallery') && { onRequest: checkLink[row.access] }),
      ...(row.countedAs && {
        onRequest: [
          guests[row.countedAs],
          ...(row.maxBody !== undefined ? [() => refuseWhenDiskIsFull(parts.disk)] : []),
        ],
      }),
      preValidation: [
        ...(row.startsJob
          ? [(request: FastifyRequest, reply: FastifyReply) => repeatEarlierRun(parts, request, reply)]
          : []),
        ...(row.prepareBody ? [row.prepareBody] : []),
      ],
      handler: (request: RouteRequest, reply: FastifyReply) => {
        reply.code(row.success.status);
        const handle = () => row.handle(parts, request, reply);
        return request.received ? request.received.use(handle) : handle();
      },
    };
    scope.route({ ...options, method: row.method });
    if (row.method === 'GET') scope.route({ ...options, method: 'HEAD' });
  };
}

async function refuseWhenDiskIsFull(disk: DiskSpace): Promise<void> {
  if (await disk.isShort()) throw new StorageFull();
}
