/**
 * Keeps the booth page's own files and the previews of styles, so that a tablet starts without the server. It answers
 * nothing of guests: photos, results and the interface always come from the network.
 */

/** What this file uses of a service worker. The library of workers and that of pages contradict each other. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface WorkerFetch extends WorkerEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Worker extends EventTarget {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
}
const worker = globalThis as unknown as Worker;

/** Written by the build: names of files, with a space between. */
const files = '%BOOTH_FILES%'.split(' ').map((file) => `/booth-files/${file}`);
const page = '/booth';
const pageCache = `page ${hash(files.join(' '))}`;
const previewCache = 'previews';
const mostPreviews = 200;

worker.addEventListener('install', (event) => {
  (event as WorkerEvent).waitUntil(keepPage().then(() => worker.skipWaiting()));
});
worker.addEventListener('activate', (event) => {
  (event as WorkerEvent).waitUntil(removeOldPages().then(() => worker.clients.claim()));
});
worker.addEventListener('fetch', (event) => {
  const { request } = event as WorkerFetch;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  const answer = answerTo(request, url);
  if (answer) (event as WorkerFetch).respondWith(answer);
});

function answerTo(request: Request, url: URL): Promise<Response> | undefined {
  if (request.mode === 'navigate') return pageFromNetworkFirst(request);
  if (url.pathname.startsWith('/booth-files/assets/')) return keptFirst(request, pageCache);
  if (url.pathname.startsWith('/previews/')) return keptFirst(request, previewCache);
  return undefined;
}

async function keepPage(): Promise<void> {
  const cache = await caches.open(pageCache);
  await cache.addAll(files);
  await cache.put(page, await fetchPage());
}

function fetchPage(): Promise<Response> {
  return fetch(page, { headers: { accept: 'text/html' }, cache: 'no-store' });
}

/** A server that does not answer within this time is away: browsers would wait for minutes. */
const longestMs = 6000;

/** The newest page names the newest files; without the server, the page that these files belong to is as good. */
async function pageFromNetworkFirst(request: Request): Promise<Response> {
  const asked = fetch(request).catch(() => Response.error());
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), longestMs));
  const answer = await Promise.race([asked, late]);
  if (answer && answer.type !== 'error' && answer.status < 500) return answer;
  return (await (await caches.open(pageCache)).match(page)) ?? asked;
}

async function keptFirst(request: Request, name: string): Promise<Response> {
  const cache = await caches.open(name);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  // A device that has no room for it shows it all the same.
  if (answer.status === 200) await keep(cache, request, answer.clone(), name).catch(() => {});
  return answer;
}

async function keep(cache: Cache, request: Request, answer: Response, name: string): Promise<void> {
  await cache.put(request, answer);
  const requests = name === previewCache ? await cache.keys() : [];
  for (const old of requests.slice(0, Math.max(0, requests.length - mostPreviews))) await cache.delete(old);
}

async function removeOldPages(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith('page ') && name !== pageCache) await caches.delete(name);
}

/** Caches of two builds must not mix. */
function hash(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0;
  return (sum >>> 0).toString(36);
}
