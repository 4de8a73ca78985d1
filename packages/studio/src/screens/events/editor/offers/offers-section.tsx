import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button } from '../../../../ui/button.tsx';
import { SelectField } from '../../../../ui/select-field.tsx';
import { say } from '../../../../words/say.ts';
import { labelOf } from '../../event-words.ts';
import type { EventFields } from '../event-fields.ts';
import { FormSection } from '../form-section.tsx';
import { AddOfferDialog } from './add-offer-dialog.tsx';
import { hasPrompt, OfferRow } from './offer-row.tsx';
import { useOfferFilters } from './use-offer-filters.ts';

/** What guests may choose, in the order in which they see it. */
export function OffersSection() {
  const { control, register, watch, formState } = useFormContext<EventFields>();
  const list = useFieldArray({ control, name: 'offers', keyName: 'fieldKey' });
  const [isAdding, setIsAdding] = useState(false);
  const known = useOfferFilters();
  const offers = watch('offers');
  const problem = formState.errors.offers?.root?.message ?? formState.errors.offers?.message;
  return (
    <FormSection
      title={say('Offers')}
      text={say(
        'Filters, aliases, prompts, videos and living portraits, in the order in which guests see them. An alias can be pointed elsewhere during the evening.',
      )}
    >
      {list.fields.length === 0 && (
        <p className="text-ink-soft">{say('Guests have nothing to choose yet.')}</p>
      )}
      {problem && (
        <p role="alert" className="text-lost">
          {problem}
        </p>
      )}
      {list.fields.length > 0 && (
        <ul aria-label={say('Offers')} className="border-t">
          {list.fields.map(({ fieldKey }, at) => {
            const offer = offers[at];
            return (
              offer && (
                <OfferRow
                  key={fieldKey}
                  at={at}
                  offer={offer}
                  filter={known.find(offer)}
                  filters={known.all}
                  isMissing={known.isRead && !hasPrompt(offer) && !known.find(offer)}
                  isLast={at === list.fields.length - 1}
                  onMove={(to) => list.move(at, to)}
                  onRemove={() => list.remove(at)}
                />
              )
            );
          })}
        </ul>
      )}
      <div className="flex flex-wrap items-start justify-between gap-4">
        <Button icon={<Plus size={17} aria-hidden />} onClick={() => setIsAdding(true)}>
          {say('Add offers')}
        </Button>
        {offers.length > 0 && (
          <div className="min-w-0 basis-72">
            <SelectField
              label={say('Safe offer')}
              hint={say('In safe mode everything is made with it.')}
              options={[
                { value: '', label: say('None') },
                // Booths that show another offer send one photo, and a living portrait needs several.
                ...offers
                  .filter(({ kind }) => kind !== 'living_portrait')
                  .map(({ id, labels }) => ({ value: id, label: labelOf(labels, id) })),
              ]}
              {...register('safeOffer')}
            />
          </div>
        )}
      </div>
      {isAdding && (
        <AddOfferDialog
          offers={offers}
          language={watch('languages')[0] ?? 'en'}
          aliases={known.aliases}
          onAdd={(offer) => list.append(offer, { shouldFocus: false })}
          onClose={() => setIsAdding(false)}
        />
      )}
    </FormSection>
  );
}
