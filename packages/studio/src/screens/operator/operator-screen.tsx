import { createLazyRoute } from '@tanstack/react-router';
import { NotFound } from '../../app/not-found.tsx';
import { useSession } from '../../app/session.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PartTabs } from '../../ui/part-tabs.tsx';
import { say } from '../../words/say.ts';
import { AccountsPart } from './accounts-part.tsx';
import { BackupsPart } from './backups-part.tsx';
import { DoctorPart } from './doctor-part.tsx';
import { EnginesPart } from './engines/engines-part.tsx';
import { PacksPart } from './packs-part.tsx';
import { SettingsPart } from './settings-part.tsx';
import { WaitingPart } from './waiting-part.tsx';

export const Route = createLazyRoute('/shell/studio/operator/{-$part}')({ component: OperatorScreen });

const parts = [
  { to: '/studio/operator', label: say('Accounts'), part: undefined, Part: AccountsPart },
  { to: '/studio/operator/engines', label: say('Engines'), part: 'engines', Part: EnginesPart },
  { to: '/studio/operator/waiting', label: say('Waiting'), part: 'waiting', Part: WaitingPart },
  { to: '/studio/operator/packs', label: say('Packs and models'), part: 'packs', Part: PacksPart },
  { to: '/studio/operator/backups', label: say('Backups'), part: 'backups', Part: BackupsPart },
  { to: '/studio/operator/doctor', label: say('Doctor'), part: 'doctor', Part: DoctorPart },
  { to: '/studio/operator/settings', label: say('Settings'), part: 'settings', Part: SettingsPart },
];

/** The installation, for whoever runs it. */
function OperatorScreen() {
  const { part } = Route.useParams();
  const { me } = useSession();
  const shown = parts.find((entry) => entry.part === part);
  if (!shown) return <NotFound />;
  if (!me.scopes.includes('operator'))
    return (
      <>
        <PageHeader title={say('Operator')} />
        <EmptyState
          title={say('This page is for operators')}
          text={say('Your account has no access to the installation. Its operator can grant it.')}
        />
      </>
    );
  return (
    <>
      <PageHeader title={say('Operator')} />
      <PartTabs label={say('Parts of this screen')} parts={parts} />
      <div className="px-6 pt-5 pb-16 max-md:px-4">
        <shown.Part />
      </div>
    </>
  );
}
