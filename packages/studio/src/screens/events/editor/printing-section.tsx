import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { say } from '../../../words/say.ts';
import { printersKey } from '../event-query.ts';
import type { EventFields } from './event-fields.ts';
import { FormSection } from './form-section.tsx';

const isCount = (text: string) => /^\d*$/.test(text.trim()) || say('A whole number, or empty.');

/** Which printer booths print on, how often, and whether the guest’s code is on the paper. */
export function PrintingSection() {
  const guise = useGuise();
  const { register, watch, setValue, formState } = useFormContext<EventFields>();
  const { data } = useQuery({ queryKey: printersKey, queryFn: ({ signal }) => guise.printers.list(signal) });
  const printers = data?.printers ?? [];
  const options = [
    { value: '', label: say('The browser of the booth') },
    ...printers.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <FormSection
      title={say('Printing')}
      text={say(
        'A printer that speaks IPP needs no driver: the server keeps a queue for it, and booths print without a dialog.',
      )}
    >
      <div className="grid grid-cols-3 gap-4 max-lg:grid-cols-1">
        {/* A list that is read after the form has its value would show the first entry. */}
        <SelectField
          label={say('Print on')}
          options={options}
          value={watch('printerId')}
          onChange={({ target }) => setValue('printerId', target.value, { shouldDirty: true })}
        />
        <TextField
          label={say('Copies per guest')}
          placeholder={say('No limit')}
          inputMode="numeric"
          error={formState.errors.prints?.message}
          {...register('prints', { validate: isCount })}
        />
        <TextField
          label={say('Copies in all')}
          placeholder={say('No limit')}
          inputMode="numeric"
          error={formState.errors.printLimit?.message}
          {...register('printLimit', { validate: isCount })}
        />
      </div>
      <label className="flex min-h-10 items-center gap-3">
        <input type="checkbox" className="size-4.5 shrink-0 accent-accent" {...register('printCode')} />
        {say('Print the QR code of the guest’s page')}
      </label>
      <AddPrinter onAdded={(id) => setValue('printerId', id, { shouldDirty: true })} />
    </FormSection>
  );
}

/** A printer by its address, which has to answer. */
function AddPrinter({ onAdded }: { onAdded(id: string): void }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [state, setState] = useState<{ isBusy: boolean; error?: string }>({ isBusy: false });
  const add = async () => {
    setState({ isBusy: true });
    try {
      const { id } = await guise.printers.add({ name, url });
      await queries.invalidateQueries({ queryKey: printersKey });
      onAdded(id);
      setName('');
      setUrl('');
      setState({ isBusy: false });
    } catch (error) {
      setState({ isBusy: false, error: errorSentence(error) });
    }
  };
  return (
    <details className="rounded-card border">
      <summary className="min-h-10 cursor-pointer px-3.5 py-2">{say('Add a printer')}</summary>
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)_auto] items-start gap-3 p-3.5 pt-1 max-lg:grid-cols-1">
        <TextField
          label={say('Name of the printer')}
          value={name}
          maxLength={100}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label={say('Address')}
          value={url}
          placeholder="ipp://192.168.1.30/ipp/print"
          autoComplete="off"
          error={state.error}
          hint={say('As the printer shows it, or ipp://localhost/printers/NAME of CUPS.')}
          onChange={({ target }) => setUrl(target.value)}
        />
        <Button
          className="mt-6 max-lg:mt-0"
          busy={state.isBusy}
          disabled={name.trim() === '' || url.trim() === ''}
          onClick={() => void add()}
        >
          {say('Add it')}
        </Button>
      </div>
    </details>
  );
}
