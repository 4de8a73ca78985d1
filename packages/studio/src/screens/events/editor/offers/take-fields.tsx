import { useFormContext } from 'react-hook-form';
import { SelectField } from '../../../../ui/select-field.tsx';
import { say } from '../../../../words/say.ts';
import type { EventFields, OfferFields } from '../event-fields.ts';
import type { OfferedFilter } from './use-offer-filters.ts';

const shots = [
  { value: '1', label: say('One photo') },
  { value: '2', label: say('{count} photos', { count: 2 }) },
  { value: '3', label: say('{count} photos', { count: 3 }) },
  { value: '4', label: say('4 photos, for a strip') },
];
const mostVariations = 3;

interface TakeFieldsProps {
  at: number;
  offer: OfferFields;
  filters: readonly OfferedFilter[];
}

/** How many photos a touch takes, or among how many pictures of one photo the guest chooses. Each costs its credits. */
export function TakeFields({ at, offer, filters }: TakeFieldsProps) {
  const { register } = useFormContext<EventFields>();
  const sameKind = filters.filter(({ kind }) => kind === offer.kind);
  const options = [
    { value: '', label: say('None') },
    ...sameKind.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const chosen = offer.variations.filter((ref) => ref !== '').length;
  const hasVariations = offer.kind !== 'prompt' && offer.shots === '1';
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(11rem,1fr))] gap-3">
      <SelectField label={say('Photos of one touch')} options={shots} {...register(`offers.${at}.shots`)} />
      {hasVariations &&
        Array.from({ length: Math.min(mostVariations, chosen + 1) }, (_, i) => (
          <SelectField
            // biome-ignore lint/suspicious/noArrayIndexKey: a variation is its place.
            key={i}
            label={
              i === 0 ? say('Also made with, to choose from') : say('Variation {number}', { number: i + 2 })
            }
            options={options}
            {...register(`offers.${at}.variations.${i}`)}
          />
        ))}
    </div>
  );
}
