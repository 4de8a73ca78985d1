import { GuiseError } from '@guise/client/guise-error.ts';
import type { Tagged } from '@guise/client/transport.ts';
import type { BoothEvent } from '@guise/contract/events/events.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useGuise } from '../../../app/guise-context.ts';
import { ChangedElsewhere } from '../../../ui/changed-elsewhere.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { LeaveGuard } from '../../filters/creator/leave-guard.tsx';
import { plainLink } from '../../filters/primary-link.ts';
import { eventQuery, eventsKey } from '../event-query.ts';
import { changesOf, type EventFields, fieldsOfEvent } from './event-fields.ts';
import { EventForm } from './event-form.tsx';
import { showRefusal } from './show-refusal.ts';

export const Route = createLazyRoute('/shell/studio/events/$id/edit')({ component: EditEventPage });

function EditEventPage() {
  const { id } = Route.useParams();
  const guise = useGuise();
  const { data, error, refetch } = useQuery({ ...eventQuery(guise, id), staleTime: 0 });
  if (data) return <EventEditor key={id} read={data} />;
  if (error instanceof GuiseError && error.status === 404)
    return <EmptyState title="Event not found" text="It may have been deleted." />;
  return (
    <div className="p-6 max-md:p-4">{error && <Problem error={error} onRetry={() => void refetch()} />}</div>
  );
}

/** The changes to an event: what was typed stays, also when it is changed elsewhere meanwhile. */
function EventEditor({ read }: { read: Tagged<BoothEvent> }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { tell } = useToast();
  /** What the edit began with. */
  const [base, setBase] = useState(read);
  const [isRefused, setIsRefused] = useState(false);
  const form = useForm<EventFields>({ defaultValues: fieldsOfEvent(base.value) });
  const { id, name } = base.value;

  const readNewest = () => queries.fetchQuery({ ...eventQuery(guise, id), staleTime: 0 });
  /** Sends what differs from what the edit began with: what was not touched stays as it is now. */
  const send = async (fields: EventFields, etag: string | undefined) => {
    const changes = changesOf(fieldsOfEvent(base.value), fields);
    if (Object.keys(changes).length > 0) await guise.events.change(id, changes, etag);
    await queries.invalidateQueries({ queryKey: eventsKey });
    tell('The event is changed.');
    await navigate({ to: '/studio/events/$id', params: { id }, ignoreBlocker: true });
  };
  const save = async (fields: EventFields) => {
    try {
      await send(fields, base.etag);
    } catch (error) {
      if (error instanceof GuiseError && error.code === 'CHANGED_ELSEWHERE') setIsRefused(true);
      else showRefusal(form, error);
    }
  };
  const loadNewer = async () => {
    const newest = await readNewest();
    setBase(newest);
    setIsRefused(false);
    form.reset(fieldsOfEvent(newest.value));
  };
  const keepMine = async () => send(form.getValues(), (await readNewest()).etag);
  return (
    <>
      <LeaveGuard isChanged={form.formState.isDirty} />
      <PageHeader title={`Change ${name}`}>
        <Link to="/studio/events/$id" params={{ id }} className={plainLink}>
          Back to the evening
        </Link>
      </PageHeader>
      <EventForm
        form={form}
        action="Save"
        canSave={form.formState.isDirty}
        onSave={save}
        notice={
          isRefused && (
            <ChangedElsewhere
              text="This event was changed elsewhere meanwhile. Your changes are still here."
              onLoad={loadNewer}
              onKeep={keepMine}
            />
          )
        }
      />
    </>
  );
}
