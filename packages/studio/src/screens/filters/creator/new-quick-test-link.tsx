import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { AddressWarning } from '../../../app/guest-address/address-warning.tsx';
import { useGuestAddress } from '../../../app/guest-address/use-guest-address.ts';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { say } from '../../../words/say.ts';

interface Fields {
  name: string;
  runs: number;
  until: string;
}

/** Makes a link for so many runs until the end of a day. Its address is shown once. */
export function NewQuickTestLink({ filterId }: { filterId: string }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const form = useForm<Fields>({ defaultValues: { name: '', runs: 20, until: dayAfter(14) } });
  const { errors } = form.formState;
  const make = useMutation({
    mutationFn: ({ name, runs, until }: Fields) =>
      guise.quickTestLinks.create({
        filter_id: filterId,
        name: name.trim(),
        runs,
        expires_at: new Date(`${until}T23:59:59`).toISOString(),
      }),
    onSuccess: () => {
      form.resetField('name');
      return queries.invalidateQueries({ queryKey: ['quick_test_links'] });
    },
  });
  const { linkFor } = useGuestAddress();
  const url = make.data && linkFor(make.data.url);
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={form.handleSubmit((fields) => make.mutate(fields))}
    >
      <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_7rem_11rem_auto]">
        <TextField
          label={say('Name')}
          placeholder={say('Optional, such as the client’s')}
          maxLength={120}
          {...form.register('name')}
        />
        <TextField
          label={say('Runs')}
          type="number"
          min={1}
          max={1000}
          error={errors.runs && say('From 1 to 1,000.')}
          {...form.register('runs', { valueAsNumber: true, required: true, min: 1, max: 1000 })}
        />
        <TextField
          label={say('Until')}
          type="date"
          min={dayAfter(0)}
          max={dayAfter(365)}
          error={errors.until && say('A day within a year from today.')}
          {...form.register('until', { required: true, min: dayAfter(0), max: dayAfter(365) })}
        />
        <Button kind="primary" type="submit" className="sm:mt-6" busy={make.isPending}>
          {say('Make a link')}
        </Button>
      </div>
      {make.error && (
        <p role="alert" className="text-lost">
          {errorSentence(make.error)}
        </p>
      )}
      {url && <AddressWarning />}
      {url && (
        <div
          role="status"
          className="flex flex-wrap items-center gap-3 rounded-card border border-accent px-4 py-3"
        >
          <div className="min-w-0 flex-1 basis-60">
            <p className="text-small text-ink-soft">{say('Copy it now: it is not shown again.')}</p>
            <code className="block break-all">{url}</code>
          </div>
          <CopyButton text={url} label={say('Copy the link')} />
        </div>
      )}
    </form>
  );
}

/** A day as a date field has it, in the time of this place. */
function dayAfter(days: number): string {
  const date = new Date();
  date.setDate(date.getDate() + days);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
