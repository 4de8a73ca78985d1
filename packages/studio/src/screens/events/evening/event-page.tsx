import { GuiseError } from '@guise/client/guise-error.ts';
import { createLazyRoute } from '@tanstack/react-router';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { say } from '../../../words/say.ts';
import { EventStateMark } from '../event-state-mark.tsx';
import { eventStates, whenOf } from '../event-words.ts';
import { BoothKeys } from './booth-keys.tsx';
import { DraftNote } from './draft-note.tsx';
import { ErasureReceipt } from './erasure-receipt.tsx';
import { EveningFigures } from './evening-figures.tsx';
import { EveningSwitches } from './evening-switches.tsx';
import { EventEnd } from './event-end.tsx';
import { EventOverlays } from './event-overlays.tsx';
import { EventPictures } from './event-pictures.tsx';
import { MailsPart, PrintsPart } from './outbox-part.tsx';
import { PreflightPart } from './preflight-part.tsx';
import { ShareLinks } from './share-links.tsx';
import { StationsPart } from './stations-part.tsx';
import { useEvening } from './use-evening.ts';

export const Route = createLazyRoute('/shell/studio/events/$id')({ component: EventPage });

/** One event on its evening. */
function EventPage() {
  const { id } = Route.useParams();
  const { event: read, stations } = useEvening(id);
  const event = read.data?.value;
  if (read.error instanceof GuiseError && read.error.status === 404)
    return <EmptyState title={say('Event not found')} text={say('It may have been deleted.')} />;
  if (!event)
    return (
      <div className="p-6 max-md:p-4">
        {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
      </div>
    );
  const isErased = event.state === 'erased';
  return (
    <>
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4 px-6 pt-6 pb-5 max-md:px-4 max-md:pt-4">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 break-words">{event.name}</h1>
            <EventStateMark state={event.state} />
          </div>
          <p className="mt-0.5 text-ink-soft">
            {whenOf(event)} <span className="whitespace-nowrap">({event.time_zone})</span>
          </p>
          <p className="text-small text-ink-soft">{eventStates[event.state].text}</p>
        </div>
        {!isErased && (
          <div className="flex flex-wrap items-center gap-2">
            <EveningSwitches event={event} />
            <DraftNote event={event} />
          </div>
        )}
      </header>
      <div className="flex flex-col gap-10 px-6 pb-16 max-md:px-4">
        {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
        {isErased ? (
          <ErasureReceipt event={event} />
        ) : (
          <>
            <EveningFigures event={event} progress={stations.data?.progress} />
            <PreflightPart event={event} />
            <div className="grid grid-cols-2 gap-x-10 gap-y-8 max-xl:grid-cols-1">
              <div className="flex min-w-0 flex-col gap-8">
                <StationsPart stations={stations.data?.stations} error={stations.error} />
                <PrintsPart event={event} />
                <MailsPart event={event} />
                <ShareLinks event={event} />
              </div>
              <div className="flex min-w-0 flex-col gap-8">
                <BoothKeys event={event} />
                <EventOverlays event={event} />
              </div>
            </div>
            <EventPictures event={event} />
            <EventEnd event={event} />
          </>
        )}
      </div>
    </>
  );
}
