import type { Approval, BoothEvent } from '@guise/contract/events/events.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useGuise } from '../../../app/guise-context.ts';
import { usePages } from '../../../app/use-pages.ts';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { Problem } from '../../../ui/problem.tsx';
import { ShowMore } from '../../../ui/show-more.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { say } from '../../../words/say.ts';
import { eventQuery } from '../event-query.ts';
import { EventPicture } from './event-picture.tsx';
import { eventJobsKey } from './use-evening.ts';

const pageSize = 60;

/** Everything that was made this evening, newest first. */
export function EventPictures({ event }: { event: BoothEvent }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { tell, fail } = useToast();
  const { pages, error, readAgain, more } = usePages(eventJobsKey(event.id), (cursor) =>
    guise.events.jobs(event.id, { cursor, limit: pageSize }),
  );
  const jobs = pages?.flatMap((page) => page.jobs);
  const erase = async (id: string) => {
    await guise.jobs.erase(id);
    tell(say('The picture is erased.'));
    await queries.invalidateQueries({ queryKey: eventJobsKey(event.id) });
    void queries.invalidateQueries({ queryKey: eventQuery(guise, event.id).queryKey });
  };
  const approve = async (id: string, approval: Approval) => {
    try {
      await guise.events.changePicture(event.id, id, { approval });
    } catch (error) {
      fail(errorSentence(error));
    }
    await queries.invalidateQueries({ queryKey: eventJobsKey(event.id) });
  };
  return (
    <section aria-label={say('Pictures')} className="flex flex-col gap-3">
      <h2>{say('Pictures')}</h2>
      {error && <Problem error={error} onRetry={readAgain} />}
      {jobs?.length === 0 && <p className="text-ink-soft">{say('They appear here as guests take them.')}</p>}
      {jobs && jobs.length > 0 && (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-3 gap-y-5">
          {jobs.map((job) => (
            <EventPicture
              key={job.id}
              job={job}
              event={event}
              onApprove={(approval) => void approve(job.id, approval)}
              onErase={() => erase(job.id)}
            />
          ))}
        </ul>
      )}
      <ShowMore more={more} />
    </section>
  );
}
