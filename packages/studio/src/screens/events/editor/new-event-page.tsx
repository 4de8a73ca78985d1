import { useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { say } from '../../../words/say.ts';
import { LeaveGuard } from '../../filters/creator/leave-guard.tsx';
import { eventsKey } from '../event-query.ts';
import { bodyOfFields, type EventFields, newEventFields } from './event-fields.ts';
import { EventForm, FormProblem } from './event-form.tsx';
import { showRefusal } from './show-refusal.ts';

export const Route = createLazyRoute('/shell/studio/events/new')({ component: NewEventPage });

function NewEventPage() {
  const guise = useGuise();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useForm<EventFields>({ defaultValues: newEventFields() });
  const make = async (fields: EventFields) => {
    try {
      const { id } = await guise.events.create(bodyOfFields(fields));
      void queries.invalidateQueries({ queryKey: eventsKey });
      await navigate({ to: '/studio/events/$id', params: { id }, replace: true, ignoreBlocker: true });
    } catch (error) {
      showRefusal(form, error);
    }
  };
  return (
    <>
      <LeaveGuard isChanged={form.formState.isDirty} text={say('The event has not been created yet.')} />
      <PageHeader title={say('New event')} />
      <EventForm form={form} onSave={make}>
        <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
          <FormProblem />
          <Button kind="primary" type="submit" busy={form.formState.isSubmitting}>
            {say('Make the event')}
          </Button>
        </div>
      </EventForm>
    </>
  );
}
