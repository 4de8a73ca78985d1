import { useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { PictureCard } from '../../../../ui/picture-card.tsx';
import { Segmented } from '../../../../ui/segmented.tsx';
import { say } from '../../../../words/say.ts';
import { FilterWall } from '../../../try/filter-wall.tsx';
import type { WallFilter } from '../../../try/run-choice.ts';
import { labelOf } from '../../event-words.ts';
import { newOfferFields, type OfferFields, slugOf } from '../event-fields.ts';
import { PromptOfferForm } from './prompt-offer-form.tsx';
import { catalogOfKind, kindOf, type OfferedFilter } from './use-offer-filters.ts';
import { VideoOfferForm } from './video-offer-form.tsx';

type Source = 'filters' | 'aliases' | 'prompt' | 'video' | 'portraits';
const sources = [
  { value: 'filters', label: say('Filters') },
  { value: 'aliases', label: say('Aliases') },
  { value: 'prompt', label: say('Prompt') },
  { value: 'video', label: say('Video') },
  { value: 'portraits', label: say('Living portrait') },
] as const;

interface AddOfferDialogProps {
  offers: readonly OfferFields[];
  /** The language that the name of a filter is taken as the label of. */
  language: string;
  aliases: readonly OfferedFilter[];
  onAdd(offer: OfferFields): void;
  onClose(): void;
}

/** Each click adds an offer; the dialog stays open for the next. */
export function AddOfferDialog({ offers, language, aliases, onAdd, onClose }: AddOfferDialogProps) {
  const [source, setSource] = useState<Source>('filters');
  const [last, setLast] = useState<WallFilter>();
  const add = (name: string, of: Partial<OfferFields>) =>
    onAdd({ ...newOfferFields, id: slugOf(name, offers), labels: { [language]: name }, ...of });
  return (
    <Dialog open wide title={say('Add offers')} onClose={onClose}>
      <div className="flex flex-col gap-5">
        <Segmented<Source>
          label={say('From')}
          value={source}
          options={sources}
          onChange={setSource}
          className="self-start"
        />
        {source === 'filters' && (
          <FilterWall
            chosen={last ? [last] : []}
            onChoose={([filter]) => {
              if (!filter) return;
              setLast(filter);
              add(filter.name, { kind: kindOf(filter), filter: filter.id });
            }}
          />
        )}
        {source === 'aliases' && (
          <Aliases aliases={aliases} onChoose={({ id, kind, name }) => add(name, { kind, filter: id })} />
        )}
        {source === 'prompt' && (
          <PromptOfferForm onAdd={(name, prompt) => add(name, { kind: 'prompt', ...prompt })} />
        )}
        {source === 'video' && (
          <VideoOfferForm onAdd={(name, video) => add(name, { kind: 'video', ...video })} />
        )}
        {source === 'portraits' && (
          <>
            <p className="text-ink-soft">
              {say(
                'The booth takes a burst of photos. Guests get a loop of themselves, moving in the scene.',
              )}
            </p>
            <FilterWall
              chosen={last ? [last] : []}
              onChoose={([filter]) => {
                if (!filter) return;
                setLast(filter);
                const catalog = catalogOfKind(kindOf(filter));
                add(filter.name, { kind: 'living_portrait', filter: filter.id, catalog });
              }}
            />
          </>
        )}
        <div className="sticky -bottom-5 -mx-5 -mb-5 flex items-center justify-between gap-4 border-t bg-raised px-5 py-3">
          <p aria-live="polite" className="min-w-0 truncate text-small text-ink-soft">
            {offers.length === 0
              ? say('A click adds a picture to the offers.')
              : say('Offered: {offers}', {
                  offers: offers.map(({ id, labels }) => labelOf(labels, id)).join(', '),
                })}
          </p>
          <Button kind="primary" onClick={onClose}>
            {say('Done')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface AliasesProps {
  aliases: readonly OfferedFilter[];
  onChoose(alias: OfferedFilter): void;
}

function Aliases({ aliases, onChoose }: AliasesProps) {
  if (aliases.length === 0)
    return (
      <p className="py-8 text-center text-ink-soft">
        {say('There is no alias yet. An alias is a slot whose filter can be changed during the evening.')}
      </p>
    );
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-x-3 gap-y-4">
      {aliases.map((alias) => (
        <PictureCard
          key={alias.id}
          src={alias.preview}
          name={alias.name}
          ratio={alias.kind === 'single' ? '2/3' : '3/2'}
          onClick={() => onChoose(alias)}
        />
      ))}
    </div>
  );
}
