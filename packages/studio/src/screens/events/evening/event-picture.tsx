import type { Approval, BoothEvent, EventJobEntry } from '@guise/contract/events/events.ts';
import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { IconButton } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { FairMark } from '../../../ui/fair-mark.tsx';
import { fullTime, shortTime } from '../../../ui/format-time.ts';
import { jobSentence } from '../../../ui/job-sentence.ts';
import { say } from '../../../words/say.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';
import { JobThumbnail } from '../../jobs/job-thumbnail.tsx';
import { stateOf, stateWords } from '../../jobs/job-words.ts';
import { labelOf } from '../event-words.ts';
import { ApprovalButtons, showingWords } from './approval-buttons.tsx';
import { useSwipe } from './use-swipe.ts';

interface EventPictureProps {
  job: EventJobEntry;
  event: BoothEvent;
  onApprove(approval: Approval): void;
  onErase(): Promise<void>;
}

/** One picture of a guest: what it was made with, what the guest agreed to, and erasing it. */
export function EventPicture({ job, event, onApprove, onErase }: EventPictureProps) {
  // It may not be offered any more.
  const offer = event.offers.find(({ id }) => id === job.offer_id);
  const name = offer ? labelOf(offer.labels, offer.id) : job.offer_id;
  const state = stateOf(job);
  const isPicture = state === 'completed' && job.thumbnail_url !== null;
  const shown = isPicture ? showingWords(event, job) : '';
  const isFair = isPicture && job.quality?.grade === 'fair';
  const swipe = useSwipe((way) => shown && onApprove(approvalBySwipe(event, way)));
  return (
    <li className="group relative min-w-0 touch-pan-y" {...(shown && swipe.handlers)}>
      <Link to="/studio/jobs/$id" params={{ id: job.id }} preload={false} className="group/link block">
        <span
          className="relative block aspect-[2/3] overflow-hidden rounded-card bg-panel"
          style={swipe.offset === 0 ? undefined : { transform: `translateX(${swipe.offset}px)` }}
        >
          {swipe.way && <SwipeMark way={swipe.way} />}
          {job.thumbnail_url ? (
            <JobThumbnail job={job} className="size-full object-contain" />
          ) : (
            <span
              className={`grid size-full place-items-center p-3 text-center text-small ${job.error === null ? 'text-ink-soft' : 'text-lost'}`}
            >
              <span className="line-clamp-6">
                {job.error === null ? stateWords[state] : jobSentence(job.error)}
              </span>
            </span>
          )}
          {isFair && <Fair reasons={job.quality!.reasons} />}
        </span>
        <span className="mt-1.5 block truncate text-small font-medium">{name}</span>
        <span className="block truncate text-small text-ink-soft" title={timesOf(job)}>
          {[shortTime(job.created_at), ...Object.values(job.details), shown].filter(Boolean).join(' · ')}
        </span>
      </Link>
      <div className="absolute top-1.5 right-1.5 flex gap-1 opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 [@media(hover:none)]:opacity-100">
        {shown && (
          <ApprovalButtons
            event={event}
            job={job}
            name={`${name}, ${shortTime(job.created_at)}`}
            onChange={onApprove}
          />
        )}
        <Confirm
          trigger={
            <IconButton
              label={say('Erase {name}, {time}', { name, time: shortTime(job.created_at) })}
              className="bg-raised"
            >
              <Trash2 size={16} aria-hidden />
            </IconButton>
          }
          title={say('Erase this picture?')}
          text={say(
            'Photo, picture and consent are deleted now, on the guest’s page too, and cannot be restored. Charged credits are not returned.',
          )}
          action={say('Erase it')}
          onConfirm={onErase}
        />
      </div>
    </li>
  );
}

/** To the right a picture is shown, to the left it is hidden. */
function approvalBySwipe({ wall }: BoothEvent, way: 'left' | 'right'): Approval {
  if (way === 'left') return 'hidden';
  return wall === 'approved' ? 'approved' : 'pending';
}

/** What letting go would do. */
function SwipeMark({ way }: { way: 'left' | 'right' }) {
  return (
    <span
      className={`absolute inset-x-0 top-0 z-10 p-2 text-center text-small font-medium ${way === 'left' ? 'bg-lost' : 'bg-good'} text-ground`}
    >
      {way === 'left' ? say('Hide') : say('Show')}
    </span>
  );
}

/** The mark has its reasons for the mouse and for whoever listens; whoever comes by the keyboard reads them here. */
const Fair = ({ reasons }: { reasons: readonly string[] }) => (
  <>
    <FairMark reasons={reasons} className="absolute bottom-1.5 left-1.5" />
    <span
      aria-hidden
      className="absolute inset-x-0 bottom-0 hidden bg-raised p-2 text-small text-ink group-focus-visible/link:block"
    >
      {[say('Fair.'), ...reasons.map(sayOfServer)].join(' ')}
    </span>
  </>
);

/** When the photo was accepted, and when its guest agreed to what. */
function timesOf({ created_at, consent }: EventJobEntry): string {
  const taken = fullTime(created_at);
  if (!consent) return say('Photo {taken}', { taken });
  const { given_at, version, language } = consent;
  return say('Photo {taken}. Consent {given}, version {version} ({language})', {
    taken,
    given: fullTime(given_at),
    version,
    language,
  });
}
