import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { NotFound } from './not-found.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

/** Every page of somebody who is signed in. */
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell });

const screen = <const Path extends string>(path: Path) => createRoute({ getParentRoute: () => shell, path });

// Each screen is loaded when it is opened.
const tree = root.addChildren([
  createRoute({ getParentRoute: () => root, path: '/studio/sign-in' }).lazy(() =>
    import('./sign-in-page.tsx').then((m) => m.Route),
  ),
  shell.addChildren([
    screen('/').lazy(() => import('../screens/try/try-screen.tsx').then((m) => m.Route)),
    screen('/studio/aliases').lazy(() =>
      import('../screens/aliases/aliases-screen.tsx').then((m) => m.Route),
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

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createStudioRouter>;
  }
}
