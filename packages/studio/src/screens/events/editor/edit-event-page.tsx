import { GuiseError } from '@guise/client/guise-error.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useGuise } from '../../../app/guise-context.ts';
import { ChangedElsewhere } from '../../../ui/changed-elsewhere.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { say } from '../../../words/say.ts';
import { GoLiveDialog } from '../../drafts/go-live-dialog.tsx';
import { LeaveGuard } from '../../filters/creator/leave-guard.tsx';
import { plainLink } from '../../filters/primary-link.ts';
import { eventsKey } from '../event-query.ts';
import { useUndoChange } from '../use-undo-change.ts';
import { fieldNamesOf } from './changed-fields.ts';
import { DraftBar } from './draft-bar.tsx';
import { type EditedEvent, editedEventQuery } from './edited-event.ts';
import { changesOf, type EventFields, fieldsOfEvent } from './event-fields.ts';
import { EventForm } from './event-form.tsx';
import { useEventDraft } from './use-event-draft.ts';

export const Route = createLazyRoute('/shell/studio/events/$id/edit')({ component: EditEventPage });

function EditEventPage() {
  const { id } = Route.useParams();
  const guise = useGuise();
  const { data, error, refetch } = useQuery(editedEventQuery(guise, id));
  /** What is edited is read anew only where somebody asks for it. */
  const [reads, setReads] = useState(0);
  const [first, setFirst] = useState<EditedEvent>();
  if (data && !first) setFirst(data);
  if (first)
    return (
      <EventEditor
        key={`${id} ${reads}`}
        read={first}
        onReadAgain={async () => {
          setFirst((await refetch({ throwOnError: true })).data);
          setReads((count) => count + 1);
        }}
      />
    );
  if (error instanceof GuiseError && error.status === 404)
    return <EmptyState title={say('Event not found')} text={say('It may have been deleted.')} />;
  return (
    <div className="p-6 max-md:p-4">{error && <Problem error={error} onRetry={() => void refetch()} />}</div>
  );
}

interface EventEditorProps {
  read: EditedEvent;
  onReadAgain(): Promise<void>;
}

/** The changes to an event, which are saved as a draft while they are typed. */
function EventEditor({ read, onReadAgain }: EventEditorProps) {
  const form = useForm<EventFields>({ defaultValues: read.fields });
  const edit = useEventDraft(read, form);
  const goLive = useGoLive(read, edit);
  const guise = useGuise();
  const { tell, fail } = useToast();
  const { id, name, state } = read.live.value;
  return (
    <>
      <LeaveGuard isChanged={edit.state !== 'saved'} text={say('What you typed last is not saved yet.')} />
      <PageHeader title={say('Change {name}', { name })}>
        <Link to="/studio/events/$id" params={{ id }} className={plainLink}>
          {say('Back to the evening')}
        </Link>
      </PageHeader>
      <EventForm form={form} onSave={() => edit.save()}>
        {edit.state === 'refused' && (
          <ChangedElsewhere
            text={say(
              'The draft of this event was changed elsewhere meanwhile. Your changes are still here.',
            )}
            onLoad={onReadAgain}
            onKeep={async () => void (await edit.save({ force: true }))}
          />
        )}
        {goLive.isChangedElsewhere && (
          <ChangedElsewhere
            text={say('What the draft changes was changed elsewhere meanwhile. Your changes are still here.')}
            onLoad={async () => {
              await edit.discard();
              await onReadAgain();
            }}
            onKeep={goLive.keepMine}
          />
        )}
        <DraftBar
          hasDraft={edit.draft !== null}
          state={edit.state}
          outcome={edit.checked?.outcome}
          onDiscard={async () => {
            const change = await edit.discard();
            await onReadAgain();
            const saveAgain = async () => {
              await guise.events.saveDraft(id, { change, based_on: null });
              await onReadAgain();
            };
            tell(say('The draft is discarded.'), {
              label: say('Undo'),
              onClick: () => void saveAgain().catch((error: unknown) => fail(errorSentence(error))),
            });
          }}
          onGoLive={() => goLive.setAsking(true)}
        />
      </EventForm>
      {goLive.isAsking && (
        <GoLiveDialog
          title={say('Make the changes of {name} live?', { name })}
          checked={edit.checked ?? { outcome: 'waiting', checks: [] }}
          onCheckAgain={edit.checkAgain}
          onClose={() => goLive.setAsking(false)}
          onConfirm={goLive.confirm}
        >
          <p>
            {state === 'open'
              ? say('The event is open: guests get this at once.')
              : say('Booths and guests get this at once.')}
          </p>
          <ul aria-label={say('What changes')} className="list-disc pl-5">
            {fieldNamesOf(edit.change()).map((field) => (
              <li key={field}>{field}</li>
            ))}
          </ul>
        </GoLiveDialog>
      )}
    </>
  );
}

/** Makes the draft live, unless somebody else has changed the same of the event since it was read. */
function useGoLive({ live }: EditedEvent, edit: ReturnType<typeof useEventDraft>) {
  const guise = useGuise();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { tell } = useToast();
  const [isAsking, setAsking] = useState(false);
  const [isChangedElsewhere, setChangedElsewhere] = useState(false);
  const { id } = live.value;
  const undo = useUndoChange(id);
  const makeLive = async ({ force }: { force: boolean }) => {
    const newest = await guise.events.get(id);
    const theirs = changesOf(edit.liveFields, fieldsOfEvent(newest.value));
    const mine = Object.keys(edit.change());
    if (!force && Object.keys(theirs).some((field) => mine.includes(field))) {
      setChangedElsewhere(true);
      return;
    }
    const unchecked = edit.checked?.outcome === 'waiting' || !edit.checked;
    const body = { number: edit.draft?.number ?? 0, unchecked };
    await guise.events.makeLive(id, body, newest.etag);
    edit.end();
    await queries.invalidateQueries({ queryKey: eventsKey });
    tell(say('The changes are live.'), { label: say('Undo'), onClick: () => void undo() });
    await navigate({ to: '/studio/events/$id', params: { id }, ignoreBlocker: true });
  };
  return {
    isAsking,
    setAsking,
    isChangedElsewhere,
    confirm: () => makeLive({ force: false }),
    keepMine: () => makeLive({ force: true }),
  };
}
