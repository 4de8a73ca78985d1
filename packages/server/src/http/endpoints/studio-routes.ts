import { open, type Route } from '../route.ts';
import { sendStudioAsset, sendStudioPage } from '../studio-files.ts';

const page = { ...open, method: 'GET', tag: 'Studio', isPage: true, success: { status: 200 } } as const;

export const studioRoutes: Route[] = [
  { ...page, path: '/', summary: 'The studio, for browsers', handle: sendStudioPage },
  { ...page, path: '/studio/*', summary: 'Pages of the studio, for browsers', handle: sendStudioPage },
  { ...page, path: '/studio/assets/{file}', summary: 'Files of the studio', handle: sendStudioAsset },
];
