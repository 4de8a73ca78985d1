import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { readFiltersSearch } from '../screens/filters/filters-search.ts';
import { readJobsSearch } from '../screens/jobs/jobs-search.ts';
import { readNewQaRunSearch } from '../screens/qa/new-run/new-qa-run-search.ts';
import { readUsageSearch } from '../screens/usage/usage-search.ts';
import { NotFound } from './not-found.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

/** Every page of somebody who is signed in. */
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell });

const screen = <const Path extends string>(path: Path) => createRoute({ getParentRoute: () => shell, path });

const filters = createRoute({
  getParentRoute: () => shell,
  path: '/studio/filters',
  validateSearch: readFiltersSearch,
});
const jobs = createRoute({
  getParentRoute: () => shell,
  path: '/studio/jobs',
  validateSearch: readJobsSearch,
});
const usage = createRoute({
  getParentRoute: () => shell,
  path: '/studio/usage',
  validateSearch: readUsageSearch,
});
const newQaRun = createRoute({
  getParentRoute: () => shell,
  path: '/studio/qa/new',
  validateSearch: readNewQaRunSearch,
});

// Each screen is loaded when it is opened.
const tree = root.addChildren([
  createRoute({ getParentRoute: () => root, path: '/studio/sign-in' }).lazy(() =>
    import('./sign-in-page.tsx').then((m) => m.Route),
  ),
  createRoute({ getParentRoute: () => root, path: '/studio/quick-test/$token' }).lazy(() =>
    import('../screens/quick-test/quick-test-page.tsx').then((m) => m.Route),
  ),
  shell.addChildren([
    screen('/').lazy(() => import('../screens/try/try-screen.tsx').then((m) => m.Route)),
    filters.lazy(() => import('../screens/filters/filters-screen.tsx').then((m) => m.Route)),
    screen('/studio/filters/new').lazy(() =>
      import('../screens/filters/creator/new-filter-page.tsx').then((m) => m.Route),
    ),
    screen('/studio/filters/$id').lazy(() =>
      import('../screens/filters/creator/filter-page.tsx').then((m) => m.Route),
    ),
    screen('/studio/scenes').lazy(() => import('../screens/scenes/scenes-screen.tsx').then((m) => m.Route)),
    screen('/studio/scenes/$id').lazy(() => import('../screens/scenes/scene-page.tsx').then((m) => m.Route)),
    jobs.lazy(() => import('../screens/jobs/jobs-screen.tsx').then((m) => m.Route)),
    screen('/studio/jobs/$id').lazy(() => import('../screens/jobs/job-page.tsx').then((m) => m.Route)),
    usage.lazy(() => import('../screens/usage/usage-screen.tsx').then((m) => m.Route)),
    screen('/studio/qa').lazy(() => import('../screens/qa/qa-screen.tsx').then((m) => m.Route)),
    newQaRun.lazy(() => import('../screens/qa/new-run/new-qa-run-page.tsx').then((m) => m.Route)),
    screen('/studio/qa/$id').lazy(() => import('../screens/qa/board/qa-board-page.tsx').then((m) => m.Route)),
    screen('/studio/aliases').lazy(() =>
      import('../screens/aliases/aliases-screen.tsx').then((m) => m.Route),
    ),
    screen('/studio/events').lazy(() => import('../screens/events/events-screen.tsx').then((m) => m.Route)),
    screen('/studio/events/new').lazy(() =>
      import('../screens/events/editor/new-event-page.tsx').then((m) => m.Route),
    ),
    screen('/studio/events/$id').lazy(() =>
      import('../screens/events/evening/event-page.tsx').then((m) => m.Route),
    ),
    screen('/studio/events/$id/edit').lazy(() =>
      import('../screens/events/editor/edit-event-page.tsx').then((m) => m.Route),
    ),
    screen('/studio/keys/{-$part}').lazy(() =>
      import('../screens/keys/keys-screen.tsx').then((m) => m.Route),
    ),
    screen('/studio/operator/{-$part}').lazy(() =>
      import('../screens/operator/operator-screen.tsx').then((m) => m.Route),
    ),
  ]),
]);

export function createStudioRouter() {
  return createRouter({ routeTree: tree, defaultPreload: 'intent', scrollRestoration: true });
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** Of a job's page: the page before it in the history is the list of jobs. */
    cameFromList?: boolean;
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createStudioRouter>;
  }
}
