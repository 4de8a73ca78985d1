import { Outlet } from '@tanstack/react-router';
import { say } from '../words/say.ts';
import { AccountDialogs } from './account-dialogs.tsx';
import { ChangesProvider, useConnection } from './changes.tsx';
import { Rail } from './rail.tsx';
import { SessionGate } from './session.tsx';

/** The rail and the page beside it. */
export function Shell() {
  return (
    <SessionGate>
      <ChangesProvider>
        <a
          href="#page"
          className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-raised focus:p-3"
        >
          {say('Skip to the page')}
        </a>
        <div className="grid h-dvh grid-cols-[5.25rem_minmax(0,1fr)] max-md:grid-cols-1 max-md:grid-rows-[minmax(0,1fr)_auto]">
          <AccountDialogs>
            <Rail />
          </AccountDialogs>
          <main
            id="page"
            tabIndex={-1}
            className="relative min-h-0 overflow-y-auto outline-none max-md:row-start-1"
          >
            <ConnectionNote />
            <Outlet />
          </main>
        </div>
      </ChangesProvider>
    </SessionGate>
  );
}

function ConnectionNote() {
  if (useConnection() !== 'lost') return null;
  return (
    <p
      role="status"
      className="fixed bottom-4 left-1/2 z-40 -translate-x-1/2 rounded-full bg-lost px-4 py-2 text-small whitespace-nowrap text-ground shadow-float max-md:bottom-20"
    >
      {say('The connection is lost. Reconnecting…')}
    </p>
  );
}
