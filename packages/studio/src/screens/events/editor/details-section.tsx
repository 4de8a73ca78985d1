import { Plus, Trash2 } from 'lucide-react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button, IconButton } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { type EventFields, newDetailFields, slugOf } from './event-fields.ts';
import { FormSection } from './form-section.tsx';
import { LabelFields } from './label-fields.tsx';

/** As many as the interface takes. */
const mostDetails = 6;
const mostChoices = 20;

const kinds = [
  { value: 'text', label: 'A text' },
  { value: 'number', label: 'A number' },
  { value: 'choice', label: 'One of several' },
];

const usual = [
  { id: 'name', action: 'Ask for the name', kind: 'text', label: 'Your name' },
  { id: 'team', action: 'Ask for the team', kind: 'choice', label: 'Your team' },
  { id: 'number', action: 'Ask for a number', kind: 'number', label: 'Your number' },
] as const;

/** What guests type or choose: for prompts, pictures and prints. */
export function DetailsSection() {
  const { control, register, watch, formState } = useFormContext<EventFields>();
  const { fields, append, remove } = useFieldArray({ control, name: 'details', keyName: 'fieldKey' });
  const details = watch('details');
  const isFull = fields.length >= mostDetails;
  const problem = formState.errors.details?.message ?? formState.errors.details?.root?.message;
  return (
    <FormSection
      title="What guests give"
      text="Such as a name, a team or a number. Prompts, texts over pictures and prints have places for it."
    >
      {problem && (
        <p role="alert" className="text-lost">
          {problem}
        </p>
      )}
      {fields.length > 0 && (
        <ul aria-label="What guests give" className="flex flex-col gap-4">
          {fields.map(({ fieldKey }, at) => (
            <li key={fieldKey} className="flex flex-col gap-3 border-b pb-4">
              <LabelFields path={`details.${at}.labels`} what={`Label ${at + 1}`} />
              <DetailKind at={at} />
              <div className="flex flex-wrap items-center justify-between gap-4">
                <label className="flex min-h-9 items-center gap-3">
                  <input
                    type="checkbox"
                    className="size-4.5 shrink-0 accent-accent"
                    {...register(`details.${at}.required`)}
                  />
                  Nobody goes on without it
                </label>
                <p className="text-small text-ink-soft">
                  In texts and prompts: <code>{`{guest.${details[at]?.id}}`}</code>
                </p>
                <IconButton label={`Remove ${details[at]?.id}`} onClick={() => remove(at)}>
                  <Trash2 size={17} aria-hidden />
                </IconButton>
              </div>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {usual
          .filter(({ id }) => !details.some((detail) => detail.id === id))
          .map(({ id, action, kind, label }) => (
            <Button
              key={id}
              disabled={isFull}
              onClick={() =>
                append({
                  ...newDetailFields,
                  id,
                  kind,
                  labels: { en: label },
                  choices: kind === 'choice' ? [{ id: 'choice', labels: {} }] : [],
                })
              }
            >
              {action}
            </Button>
          ))}
        <Button
          icon={<Plus size={17} aria-hidden />}
          disabled={isFull}
          onClick={() => append({ ...newDetailFields, id: slugOf('detail', details), labels: {} })}
        >
          Ask for something else
        </Button>
      </div>
      {details.some(({ kind }) => kind === 'text') && (
        <TextArea
          label="Words that nobody may type"
          hint="One in each line. The coarsest words of the booth’s languages are refused anyway."
          {...register('blockedWords')}
        />
      )}
    </FormSection>
  );
}

/** What kind of thing a guest gives, and its limits. */
function DetailKind({ at }: { at: number }) {
  const { register, watch } = useFormContext<EventFields>();
  const kind = watch(`details.${at}.kind`);
  const number = { inputMode: 'numeric', autoComplete: 'off' } as const;
  return (
    <>
      <div className="grid grid-cols-3 gap-3 max-sm:grid-cols-1">
        <SelectField label="Kind" options={kinds} {...register(`details.${at}.kind`)} />
        {kind === 'text' && (
          <TextField label="Letters at most" {...number} {...register(`details.${at}.letters`)} />
        )}
        {kind === 'number' && (
          <>
            <TextField label="From" {...number} {...register(`details.${at}.least`)} />
            <TextField label="To" {...number} {...register(`details.${at}.most`)} />
          </>
        )}
      </div>
      {kind === 'choice' && <Choices at={at} />}
    </>
  );
}

function Choices({ at }: { at: number }) {
  const { control, watch } = useFormContext<EventFields>();
  const list = useFieldArray({ control, name: `details.${at}.choices`, keyName: 'fieldKey' });
  const choices = watch(`details.${at}.choices`);
  return (
    <div className="flex flex-col gap-3 ps-4">
      {list.fields.map(({ fieldKey }, i) => (
        <div key={fieldKey} className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <LabelFields path={`details.${at}.choices.${i}.labels`} what={`Choice ${i + 1}`} />
          </div>
          <IconButton
            label={`Remove choice ${i + 1}`}
            disabled={list.fields.length === 1}
            onClick={() => list.remove(i)}
          >
            <Trash2 size={17} aria-hidden />
          </IconButton>
        </div>
      ))}
      <Button
        className="self-start"
        icon={<Plus size={17} aria-hidden />}
        disabled={list.fields.length >= mostChoices}
        onClick={() => list.append({ id: slugOf('choice', choices), labels: {} })}
      >
        Add a choice
      </Button>
    </div>
  );
}
