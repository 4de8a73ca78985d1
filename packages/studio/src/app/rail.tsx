import { Link } from '@tanstack/react-router';
import { CircleUserRound, MoreHorizontal } from 'lucide-react';
import { lazy } from 'react';
import { say } from '../words/say.ts';
import icon from './icon.svg';
import { operatorEntry, railEntries } from './rail-entries.ts';
import { RailMenu } from './rail-menu.tsx';
import { useSession } from './session.tsx';

const AccountMenu = lazy(() => import('./account-menu.tsx').then((m) => ({ default: m.AccountMenu })));
const MoreMenu = lazy(() => import('./more-menu.tsx').then((m) => ({ default: m.MoreMenu })));

/** On phones the first four stand below the page, and the others behind "More". */
const onPhone = 4;

export function Rail() {
  const { me } = useSession();
  const shown = me.scopes.includes('operator') ? [...railEntries, operatorEntry] : railEntries;
  return (
    <nav
      aria-label={say('Screens')}
      className="flex flex-col items-stretch gap-0.5 border-r px-2 py-3 max-md:row-start-2 max-md:flex-row max-md:justify-around max-md:border-t max-md:border-r-0 max-md:px-1 max-md:py-1 max-md:pb-[env(safe-area-inset-bottom)]"
    >
      <img src={icon} alt="Guise" className="mx-auto mb-3 size-8 max-md:hidden" />
      {shown.map((entry, at) => (
        <Link
          key={entry.to}
          to={entry.to}
          activeOptions={{ exact: entry.to === '/' }}
          className={`${railItem} ${at >= onPhone ? 'max-md:hidden' : ''}`}
        >
          <entry.icon size={20} strokeWidth={1.6} aria-hidden />
          {entry.label}
        </Link>
      ))}
      <div className="md:hidden">
        <RailMenu className={railItem} label={say('More')} trigger={moreTrigger}>
          <MoreMenu className={railItem} entries={shown.slice(onPhone)}>
            {moreTrigger}
          </MoreMenu>
        </RailMenu>
      </div>
      <div className="mt-auto max-md:hidden">
        <RailMenu className={railItem} label={say('Account')} trigger={accountTrigger}>
          <AccountMenu className={railItem}>{accountTrigger}</AccountMenu>
        </RailMenu>
      </div>
    </nav>
  );
}

const moreTrigger = (
  <>
    <MoreHorizontal size={20} strokeWidth={1.6} aria-hidden />
    {say('More')}
  </>
);
const accountTrigger = (
  <>
    <CircleUserRound size={20} strokeWidth={1.6} aria-hidden />
    {say('Account')}
  </>
);

const railItem =
  'flex w-full flex-col items-center gap-1 rounded-card px-1 py-2 text-small text-ink-soft hover:text-ink data-[status=active]:bg-panel data-[status=active]:font-medium data-[status=active]:text-ink max-md:w-18 max-md:py-1.5';
