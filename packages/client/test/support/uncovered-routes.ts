import { routes } from '../../../server/src/http/routes.ts';

/** Routes that no client has a method for, and why. A new endpoint gets a method, or a line here. */
const withoutMethod: Readonly<Record<string, string>> = {
  'GET /v1/filters/': 'older path of GET /v6/filters',
  'GET /v5/filters': 'older path of GET /v6/filters',
  'GET /v4/multi_swap_styles/': 'older path of GET /v1/realistic_multiswap_styles/',
  'GET /my-aliases/': 'older path of GET /api/alias/',
  'GET /v1/phone_checks/{token}': 'opened with the browser of a phone',
  'POST /v1/engine_webhooks/fal': 'called by fal, with its signature',
  'GET /v1/aliases/{id}': 'the same as GET /api/alias/{id}/',
};
/** Paths of clients that were written for another service, or have no library: a new program has better ones. */
const older =
  /^(\w+ \/(sdapi|openai)\/.*|POST \/v1\/photo\/.*|POST \/mcp|GET \/v1\/workflows\/|POST \/(v1\/run\/face_swap|v2\/run\/filter_id\/|v3\/.*))$/;
export const isOlderPath = (name: string): boolean => older.test(name);
/** Files are read by `readFile`, by their links. */
const isFile = (path: string) => /^\/(files|previews|samples)\/|\/trials\/\{file\}$/.test(path);

/** The routes that none of these requests (`GET /v1/jobs/x`) is to, and reasons that are no route's any more. */
export function uncoveredRoutes(
  sent: readonly string[],
  reasons: Readonly<Record<string, string>> = {},
): string[] {
  const excused = { ...withoutMethod, ...reasons };
  const known = routes.map(({ method, path }) => `${method} ${path}`);
  const missing = routes
    .filter(({ method, path, isPage }) => !isPage && !isFile(path) && !excused[`${method} ${path}`])
    .filter(({ method, path }) => !isOlderPath(`${method} ${path}`))
    .filter(({ method, path }) => {
      const pattern = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      return !sent.some((request) => pattern.test(request));
    })
    .map(({ method, path }) => `${method} ${path}`);
  return [...missing, ...Object.keys(excused).filter((name) => !known.includes(name))];
}
