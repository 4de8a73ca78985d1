import { createLazyRoute, Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useGuise } from '../../app/guise-context.ts';
import { usePages } from '../../app/use-pages.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { say } from '../../words/say.ts';
import { primaryLink } from '../filters/primary-link.ts';
import { eventsKey } from './event-query.ts';
import { EventRow } from './event-row.tsx';

export const Route = createLazyRoute('/shell/studio/events')({ component: EventsScreen });

/** The account's events, newest first. */
function EventsScreen() {
  const guise = useGuise();
  const { pages, error, readAgain, more } = usePages([...eventsKey, 'list'], (cursor) =>
    guise.events.list({ cursor, limit: 50 }),
  );
  const events = pages?.flatMap((page) => page.events);
  return (
    <>
      <PageHeader
        title={say('Events')}
        text={say(
          'An evening with booths: what guests may choose, for how many credits, and what they agree to.',
        )}
      >
        {events?.length !== 0 && <NewEvent />}
      </PageHeader>
      <div className="flex flex-col gap-4 px-6 pb-16 max-md:px-4">
        {error && <Problem error={error} onRetry={readAgain} />}
        {events?.length === 0 && (
          <EmptyState
            title={say('Turn a tablet into a photo booth')}
            text={say('Make an event, choose its filters, and open its booth page on a tablet by a QR code.')}
          >
            <NewEvent />
          </EmptyState>
        )}
        {events && events.length > 0 && (
          <ul aria-label={say('Events')} className="border-t">
            {events.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </ul>
        )}
        <ShowMore more={more} />
      </div>
    </>
  );
}

const NewEvent = () => (
  <Link to="/studio/events/new" className={primaryLink}>
    <Plus size={17} aria-hidden />
    {say('New event')}
  </Link>
);
