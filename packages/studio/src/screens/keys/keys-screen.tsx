import { createLazyRoute } from '@tanstack/react-router';
import { NotFound } from '../../app/not-found.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PartTabs } from '../../ui/part-tabs.tsx';
import { say } from '../../words/say.ts';
import { KeysPart } from './keys-part.tsx';
import { SessionsPart } from './sessions-part.tsx';
import { WebhooksPart } from './webhooks-part.tsx';

export const Route = createLazyRoute('/shell/studio/keys/{-$part}')({ component: KeysScreen });

const parts = [
  {
    to: '/studio/keys',
    label: say('Keys'),
    part: undefined,
    text: say('Programs and booths sign in with a key.'),
    Part: KeysPart,
  },
  {
    to: '/studio/keys/webhooks',
    label: say('Webhooks'),
    part: 'webhooks',
    text: say(
      'Guise notifies your server when a job ends: at the webhook_url of the run, or else at your address for all runs.',
    ),
    Part: WebhooksPart,
  },
  {
    to: '/studio/keys/sessions',
    label: say('Sessions'),
    part: 'sessions',
    text: say('Browsers that are signed in to your account.'),
    Part: SessionsPart,
  },
];

/** How programs and people get in, and how programs are told. */
function KeysScreen() {
  const { part } = Route.useParams();
  const shown = parts.find((entry) => entry.part === part);
  if (!shown) return <NotFound />;
  return (
    <>
      <PageHeader title={shown.label} text={shown.text} />
      <PartTabs label={say('Parts of this screen')} parts={parts} />
      <div className="px-6 pt-5 pb-16 max-md:px-4">
        <shown.Part />
      </div>
    </>
  );
}
