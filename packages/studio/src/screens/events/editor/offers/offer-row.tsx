import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { IconButton } from '../../../../ui/button.tsx';
import { say } from '../../../../words/say.ts';
import { FilterThumb } from '../../../aliases/filter-thumb.tsx';
import { labelOf } from '../../event-words.ts';
import type { OfferFields, OfferKind } from '../event-fields.ts';
import { LabelFields } from '../label-fields.tsx';
import { LoopFields } from './loop-fields.tsx';
import { TakeFields } from './take-fields.tsx';
import type { OfferedFilter } from './use-offer-filters.ts';

const kindWords: Record<OfferKind, string> = {
  single: say('One person'),
  group: say('Group'),
  stylized: say('Group, painted'),
  video: say('Video'),
  living_portrait: say('Living portrait'),
  prompt: say('Prompt'),
};

/** Previews of filters of one person are upright. */
const isUpright = ({ kind, catalog }: OfferFields) =>
  kind === 'single' || (kind === 'living_portrait' && catalog === 'face_swap');

/** Made of words, and of no filter. */
export const hasPrompt = ({ kind }: Pick<OfferFields, 'kind'>) => kind === 'video' || kind === 'prompt';

interface OfferRowProps {
  at: number;
  offer: OfferFields;
  filter: OfferedFilter | undefined;
  /** All that can be offered. */
  filters: readonly OfferedFilter[];
  /** Its filter was deleted: no picture can be made with it. */
  isMissing: boolean;
  isLast: boolean;
  onMove(to: number): void;
  onRemove(): void;
}

/** An offer: its picture, its labels, its place. */
export function OfferRow({ at, offer, filter, filters, isMissing, isLast, onMove, onRemove }: OfferRowProps) {
  const name = labelOf(offer.labels, offer.id);
  return (
    <li className="grid grid-cols-[4rem_minmax(0,1fr)_auto] items-start gap-4 border-b py-4 max-sm:grid-cols-[3rem_minmax(0,1fr)]">
      <FilterThumb
        src={filter?.preview ?? null}
        className={`w-full ${isUpright(offer) ? 'aspect-[2/3]' : 'aspect-square'}`}
      />
      <div className="flex min-w-0 flex-col gap-2">
        <LabelFields path={`offers.${at}.labels`} what={say('Label of offer {number}', { number: at + 1 })} />
        <p className={`text-small ${isMissing ? 'text-lost' : 'text-ink-soft'}`}>
          {isMissing
            ? say('Its filter was deleted. Remove the offer, or guests are refused.')
            : [
                kindWords[offer.kind],
                hasPrompt(offer) ? offer.prompt : filter?.name,
                filter?.version && say('version {number}', { number: filter.version }),
                filter?.alias && say('alias'),
              ]
                .filter(Boolean)
                .join(' · ')}
        </p>
        {offer.kind === 'living_portrait' && <LoopFields at={at} />}
        {offer.kind !== 'living_portrait' && offer.kind !== 'video' && (
          <TakeFields at={at} offer={offer} filters={filters} />
        )}
      </div>
      <div className="flex max-sm:col-span-2 max-sm:justify-end">
        <IconButton
          label={say('Move {name} up', { name })}
          disabled={at === 0}
          onClick={() => onMove(at - 1)}
        >
          <ArrowUp size={17} aria-hidden />
        </IconButton>
        <IconButton
          label={say('Move {name} down', { name })}
          disabled={isLast}
          onClick={() => onMove(at + 1)}
        >
          <ArrowDown size={17} aria-hidden />
        </IconButton>
        <IconButton label={say('Remove {name}', { name })} onClick={onRemove}>
          <Trash2 size={17} aria-hidden />
        </IconButton>
      </div>
    </li>
  );
}
