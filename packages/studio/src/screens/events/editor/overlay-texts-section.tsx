import { Plus, Trash2 } from 'lucide-react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button, IconButton } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { say } from '../../../words/say.ts';
import type { EventFields, OverlayTexts } from './event-fields.ts';
import { FormSection } from './form-section.tsx';
import { usePrintPreview } from './print-preview.ts';

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
  { value: 'bottom', label: say('Below') },
  { value: 'left', label: say('Below, left') },
  { value: 'right', label: say('Below, right') },
  { value: 'top', label: say('Above') },
];

function placeOf(text: OverlayTexts[number]): Place | 'own' {
  const found = Object.entries(places).find(([, box]) =>
    (Object.keys(box) as (keyof typeof box)[]).every((name) => box[name] === text[name]),
  );
  return (found?.[0] as Place | undefined) ?? 'own';
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const overlaps = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** The first place that no text has; the first of all where each has one. */
const freePlace = (texts: OverlayTexts): Box =>
  [places.bottom, places.top, places.left, places.right].find(
    (place) => !texts.some((text) => overlaps(text, place)),
  ) ?? places.bottom;

/** Texts over every picture of the event, such as the name that its guest gave. */
export function OverlayTextsSection() {
  const { control, register, watch, setValue } = useFormContext<EventFields>();
  const { fields, append, remove } = useFieldArray({ control, name: 'overlayTexts', keyName: 'fieldKey' });
  const texts = watch('overlayTexts');
  const written = texts.filter(({ text }) => text.trim() !== '');
  const name = watch('name') || say('Event');
  const preview = usePrintPreview(
    written.length > 0 ? { name, branding: { print_layout: '4x6', overlay_texts: written } } : null,
  );
  return (
    <FormSection
      title={say('Texts over pictures')}
      text={say(
        'Written over each picture, above the overlay of its shape. A text that would cover a face is left out. {name} and {date} are those of the event, {given} is what the guest gave as “name”.',
        { name: '{name}', date: '{date}', given: '{guest.name}' },
      )}
    >
      {fields.map(({ fieldKey }, at) => {
        const text = texts[at];
        if (!text) return null;
        const place = placeOf(text);
        const under = texts.findIndex((other, i) => i < at && overlaps(text, other));
        return (
          <div
            key={fieldKey}
            className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)_auto] items-end gap-3 max-sm:grid-cols-1"
          >
            <TextField
              label={say('Text {number}', { number: at + 1 })}
              maxLength={200}
              {...register(`overlayTexts.${at}.text`)}
            />
            <SelectField
              label={say('Place')}
              options={
                place === 'own'
                  ? [...placeWords, { value: 'own', label: say('As the interface says') }]
                  : placeWords
              }
              value={place}
              onChange={({ target }) => {
                if (target.value === 'own') return;
                const moved = { ...text, ...places[target.value as Place] };
                setValue(`overlayTexts.${at}`, moved, { shouldDirty: true });
              }}
            />
            <IconButton label={say('Remove text {number}', { number: at + 1 })} onClick={() => remove(at)}>
              <Trash2 size={17} aria-hidden />
            </IconButton>
            {under >= 0 && (
              <p role="status" className="col-span-full text-small text-ink-soft">
                {say('Text {number} is in the same place: choose another one.', { number: under + 1 })}
              </p>
            )}
          </div>
        );
      })}
      <Button
        className="self-start"
        icon={<Plus size={17} aria-hidden />}
        disabled={fields.length >= mostTexts}
        onClick={() => append({ text: '{name}', colour: '#ffffff', ...freePlace(texts) })}
      >
        {say('Add a text')}
      </Button>
      {preview && written.length > 0 && (
        <img className="w-48 rounded-md border" src={preview} alt={say('How the texts come out')} />
      )}
    </FormSection>
  );
}
