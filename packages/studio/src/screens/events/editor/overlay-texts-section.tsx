import { Plus, Trash2 } from 'lucide-react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button, IconButton } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { EventFields, OverlayTexts } from './event-fields.ts';
import { FormSection } from './form-section.tsx';

const mostTexts = 8;

/** Places where faces rarely are. */
const places = {
  bottom: { x: 0.06, y: 0.88, width: 0.88, height: 0.08 },
  left: { x: 0.04, y: 0.88, width: 0.42, height: 0.08 },
  right: { x: 0.54, y: 0.88, width: 0.42, height: 0.08 },
  top: { x: 0.06, y: 0.03, width: 0.88, height: 0.08 },
} as const;
type Place = keyof typeof places;

const placeWords: { value: Place | 'own'; label: string }[] = [
  { value: 'bottom', label: 'Below' },
  { value: 'left', label: 'Below, left' },
  { value: 'right', label: 'Below, right' },
  { value: 'top', label: 'Above' },
];

function placeOf(text: OverlayTexts[number]): Place | 'own' {
  const found = Object.entries(places).find(([, box]) =>
    (Object.keys(box) as (keyof typeof box)[]).every((name) => box[name] === text[name]),
  );
  return (found?.[0] as Place | undefined) ?? 'own';
}

/** Texts over every picture of the event, such as the name that its guest gave. */
export function OverlayTextsSection() {
  const { control, register, watch, setValue } = useFormContext<EventFields>();
  const { fields, append, remove } = useFieldArray({ control, name: 'overlayTexts', keyName: 'fieldKey' });
  const texts = watch('overlayTexts');
  return (
    <FormSection
      title="Texts over pictures"
      text="Written over each picture, above the overlay of its shape. A text that would cover a face is left out."
    >
      {fields.map(({ fieldKey }, at) => {
        const text = texts[at];
        if (!text) return null;
        const place = placeOf(text);
        return (
          <div
            key={fieldKey}
            className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)_auto] items-end gap-3 max-sm:grid-cols-1"
          >
            <TextField
              label={`Text ${at + 1}`}
              hint="{name} and {date} are those of the event, {guest.name} is what the guest gave as “name”."
              maxLength={200}
              {...register(`overlayTexts.${at}.text`)}
            />
            <SelectField
              label="Place"
              options={
                place === 'own'
                  ? [...placeWords, { value: 'own', label: 'As the interface says' }]
                  : placeWords
              }
              value={place}
              onChange={({ target }) => {
                if (target.value === 'own') return;
                const moved = { ...text, ...places[target.value as Place] };
                setValue(`overlayTexts.${at}`, moved, { shouldDirty: true });
              }}
            />
            <IconButton label={`Remove text ${at + 1}`} onClick={() => remove(at)}>
              <Trash2 size={17} aria-hidden />
            </IconButton>
          </div>
        );
      })}
      <Button
        className="self-start"
        icon={<Plus size={17} aria-hidden />}
        disabled={fields.length >= mostTexts}
        onClick={() => append({ text: '{name}', colour: '#ffffff', ...places.bottom })}
      >
        Add a text
      </Button>
    </FormSection>
  );
}
