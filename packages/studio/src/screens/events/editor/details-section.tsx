import { Plus, Trash2 } from 'lucide-react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button, IconButton } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { language } from '../../../words/language.ts';
import { say, sayParts } from '../../../words/say.ts';
import { type EventFields, newDetailFields, slugOf } from './event-fields.ts';
import { FormSection } from './form-section.tsx';
import { LabelFields } from './label-fields.tsx';

/** As many as the interface takes. */
const mostDetails = 6;
const mostChoices = 20;

const kinds = [
  { value: 'text', label: say('A text') },
  { value: 'number', label: say('A number') },
  { value: 'choice', label: say('One of several') },
];

const usual = [
  { id: 'name', action: say('Ask for the name'), kind: 'text', label: say('Your name') },
  { id: 'team', action: say('Ask for the team'), kind: 'choice', label: say('Your team') },
  { id: 'number', action: say('Ask for a number'), kind: 'number', label: say('Your number') },
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
      title={say('What guests give')}
      text={say(
        'Such as a name, a team or a number. Prompts, texts over pictures and prints have places for it.',
      )}
    >
      {problem && (
        <p role="alert" className="text-lost">
          {problem}
        </p>
      )}
      {fields.length > 0 && (
        <ul aria-label={say('What guests give')} className="flex flex-col gap-4">
          {fields.map(({ fieldKey }, at) => (
            <Detail key={fieldKey} at={at} onRemove={() => remove(at)} />
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
                  labels: { [language]: label },
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
          {say('Ask for something else')}
        </Button>
      </div>
      {details.some(({ kind }) => kind === 'text') && (
        <TextArea
          label={say('Words that nobody may type')}
          hint={say('One in each line. The coarsest words of the booth’s languages are refused anyway.')}
          {...register('blockedWords')}
        />
      )}
    </FormSection>
  );
}

/** Something that guests are asked for, and its place in texts. */
function Detail({ at, onRemove }: { at: number; onRemove(): void }) {
  const { register, watch } = useFormContext<EventFields>();
  const id = String(watch(`details.${at}.id`));
  return (
    <li className="flex flex-col gap-3 border-b pb-4">
      <LabelFields path={`details.${at}.labels`} what={say('Label {number}', { number: at + 1 })} />
      <DetailKind at={at} />
      <div className="flex flex-wrap items-center justify-between gap-4">
        <label className="flex min-h-9 items-center gap-3">
          <input
            type="checkbox"
            className="size-4.5 shrink-0 accent-accent"
            {...register(`details.${at}.required`)}
          />
          {say('Nobody goes on without it')}
        </label>
        <p className="text-small text-ink-soft">
          {sayParts('In texts and prompts: {place}', { place: <code>{`{guest.${id}}`}</code> })}
        </p>
        <IconButton label={say('Remove {name}', { name: id })} onClick={onRemove}>
          <Trash2 size={17} aria-hidden />
        </IconButton>
      </div>
    </li>
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
        <SelectField label={say('Kind')} options={kinds} {...register(`details.${at}.kind`)} />
        {kind === 'text' && (
          <TextField label={say('Letters at most')} {...number} {...register(`details.${at}.letters`)} />
        )}
        {kind === 'number' && (
          <>
            <TextField label={say('From')} {...number} {...register(`details.${at}.least`)} />
            <TextField label={say('To')} {...number} {...register(`details.${at}.most`)} />
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
            <LabelFields
              path={`details.${at}.choices.${i}.labels`}
              what={say('Choice {number}', { number: i + 1 })}
            />
          </div>
          <IconButton
            label={say('Remove choice {number}', { number: i + 1 })}
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
        {say('Add a choice')}
      </Button>
    </div>
  );
}
