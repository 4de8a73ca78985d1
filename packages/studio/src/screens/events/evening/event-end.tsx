import type { BoothEvent } from '@guise/contract/events/events.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { useSession } from '../../../app/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { saveLink } from '../../../ui/save-file.ts';
import { useToast } from '../../../ui/toasts.tsx';
import { say } from '../../../words/say.ts';
import { eventsKey } from '../event-query.ts';
import { EraseEventDialog } from './erase-event-dialog.tsx';

/** What is done after the evening: take it with you, and erase it. */
export function EventEnd({ event }: { event: BoothEvent }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { tell } = useToast();
  const [isErasing, setIsErasing] = useState(false);
  const [isPacking, setIsPacking] = useState(false);
  const command = `${useSession().commandLine} events export ${event.id} FOLDER`;
  const download = async () => {
    setIsPacking(true);
    try {
      const { url, jobs } = await guise.events.archive(event.id);
      if (jobs === 0) tell(say('There is no picture to download.'));
      else saveLink(url, `${event.name}.zip`);
    } catch (error) {
      tell(errorSentence(error));
    } finally {
      setIsPacking(false);
    }
  };
  const remove = async () => {
    await guise.events.remove(event.id);
    tell(say('“{name}” is deleted.', { name: event.name }));
    await navigate({ to: '/studio/events' });
    await queries.invalidateQueries({ queryKey: eventsKey });
  };
  return (
    <section aria-label={say('After the evening')} className="flex flex-col gap-5 border-t pt-6">
      <h2>{say('After the evening')}</h2>
      <div className="grid grid-cols-2 gap-x-10 gap-y-6 max-lg:grid-cols-1">
        <div className="flex flex-col items-start gap-2">
          <p className="text-ink-soft">
            {say('All pictures and videos as one file, without those that are hidden.')}
          </p>
          <Button busy={isPacking} onClick={() => void download()}>
            {say('Download everything as a ZIP')}
          </Button>
          <p className="mt-3 text-ink-soft">
            {say(
              'Pictures, jobs and consents as a folder, with every version of the consent texts. On the machine of the server:',
            )}
          </p>
          <code className="font-mono text-small break-all select-all">{command}</code>
          <CopyButton text={command} label={say('Copy the command')} />
        </div>
        <div className="flex flex-col items-start gap-2">
          <p className="text-ink-soft">
            {event.jobs > 0
              ? say(
                  'Erasing deletes every photo, picture, guest and consent of this event and revokes its keys. The receipt says what there was.',
                )
              : say('There is no data of guests, so the event can be deleted.')}
          </p>
          <div className="flex flex-wrap gap-2">
            {event.jobs > 0 ? (
              <Button kind="danger" onClick={() => setIsErasing(true)}>
                {say('Erase everything')}
              </Button>
            ) : (
              <Confirm
                trigger={<Button kind="danger">{say('Delete the event')}</Button>}
                title={say('Delete “{name}”?', { name: event.name })}
                text={say('Its settings are deleted and its keys are revoked.')}
                action={say('Delete it')}
                onConfirm={remove}
              />
            )}
          </div>
        </div>
      </div>
      {isErasing && <EraseEventDialog event={event} onClose={() => setIsErasing(false)} />}
    </section>
  );
}
