import { open, type Route } from '../route.ts';
import { ownMachine, sendAsset, sendPage, sendPlainFile } from '../web-files.ts';

const file = { ...open, method: 'GET', isPage: true, success: { status: 200 } } as const;

type Handle = Route['handle'];
const studioPage: Handle = (parts, request, reply) =>
  sendPage(parts, parts.studioFiles.read('index.html'), request, reply);
const boothPage: Handle = ({ fileOrigins, boothFiles }, request, reply) =>
  sendPage({ fileOrigins, calls: ownMachine }, boothFiles.read('booth.html'), request, reply);

/** Pages of one event's people: search engines have no business there, and other hosts do not learn the address. */
const privatePage =
  (name: string): Handle =>
  (parts, request, reply) => {
    reply.headers({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' });
    return sendPage(parts, parts.boothFiles.read(name), request, reply);
  };

export const pageRoutes: Route[] = [
  {
    ...file,
    tag: 'Studio',
    path: '/',
    operation: 'showStart',
    summary: 'The studio, for browsers',
    handle: studioPage,
  },
  {
    ...file,
    tag: 'Studio',
    path: '/studio/*',
    operation: 'showStudio',
    summary: 'Pages of the studio, for browsers',
    handle: studioPage,
  },
  {
    ...file,
    tag: 'Studio',
    path: '/studio/assets/{file}',
    operation: 'readStudioFile',
    summary: 'Files of the studio',
    handle: (parts, request, reply) => sendAsset(parts.studioFiles, request, reply),
  },
  {
    ...file,
    tag: 'Booth',
    path: '/booth',
    operation: 'showBoothStart',
    summary: 'The booth page of the event that this browser was set up for',
    handle: boothPage,
  },
  {
    ...file,
    tag: 'Booth',
    path: '/booth/{event}',
    operation: 'showBooth',
    summary: 'The booth page of an event, for browsers',
    handle: boothPage,
  },
  {
    ...file,
    tag: 'Guests of events',
    path: '/g/{token}',
    operation: 'showGuestPage',
    summary: 'The page of a guest, for browsers',
    handle: privatePage('guest.html'),
  },
  {
    ...file,
    tag: 'Booth',
    path: '/wall/{event}',
    operation: 'showWall',
    summary: 'The wall of an event, for browsers',
    handle: privatePage('wall.html'),
  },
  {
    ...file,
    tag: 'Booth',
    path: '/booth-files/{file}',
    operation: 'readBoothFile',
    summary: 'The service worker, the manifest and the icons of the booth page',
    handle: (parts, request, reply) => {
      // The worker serves the page, which is at another path than the worker.
      reply.header('service-worker-allowed', '/booth');
      return sendPlainFile(parts.boothFiles, request, reply);
    },
  },
  {
    ...file,
    tag: 'Booth',
    path: '/booth-files/assets/{file}',
    operation: 'readBoothAsset',
    summary: 'Files of the booth, guest and wall pages',
    handle: (parts, request, reply) => sendAsset(parts.boothFiles, request, reply),
  },
];
