import type { Alias } from '@guise/contract/aliases.ts';
import type { CustomFilter, FilterType } from '@guise/contract/catalogs.ts';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { Confirm } from '../../ui/confirm.tsx';
import { say } from '../../words/say.ts';
import { useAliasActions } from './use-alias-actions.ts';
import { useAliasDraftActions } from './use-alias-draft.ts';
import { useOwnFilters } from './use-own-filters.ts';

/** Where in a slot a filter goes. */
type Place = 'draft' | 'filter' | 'safe';
type PutFilter = (alias: Alias, filter: CustomFilter, place: Place) => void;

const Context = createContext<PutFilter>(() => {});

interface Asked {
  alias: Alias;
  filter: CustomFilter;
  place: Place;
}

/** Saves a filter as what a slot gets next, puts it in at once, or makes it the slot's safe filter. */
export const usePutFilter = () => useContext(Context);

/**
 * A booth calls the endpoint of one type of filter, and gets an error as soon as the slot has one of the other type.
 * So that is done only after a question. A slot is for the type of its first filter that there still is.
 */
export function PutFilterQuestions({ children }: { children: ReactNode }) {
  const { find } = useOwnFilters();
  const { pointTo, setSafe } = useAliasActions();
  const { saveDraft } = useAliasDraftActions();
  const [asked, setAsked] = useState<Asked>();
  const put = (alias: Alias, filter: CustomFilter, place: Place) =>
    place === 'filter' ? pointTo(alias, filter) : setSafe(alias, filter);
  const typeOf = ({ history, ai_filter }: Alias) =>
    [...history.map(({ ai_filter_id }) => ai_filter_id), ai_filter].map(find).find(Boolean)?.filter_type;
  const putOrAsk: PutFilter = (alias, filter, place) => {
    // The checks of a draft say it.
    if (place === 'draft') void saveDraft(alias, filter);
    else if ((typeOf(alias) ?? filter.filter_type) !== filter.filter_type) setAsked({ alias, filter, place });
    else void put(alias, filter, place);
  };
  const slotType = asked && typeOf(asked.alias);
  return (
    <Context value={putOrAsk}>
      {children}
      {asked && slotType && (
        <Confirm
          open
          onOpenChange={(isOpen) => !isOpen && setAsked(undefined)}
          title={
            slotType === 'face_swap' ? say('This slot is for one person') : say('This slot is for groups')
          }
          text={whatFollows(asked, slotType)}
          action={asked.place === 'safe' ? say('Use it anyway') : say('Put it in anyway')}
          onConfirm={() => put(asked.alias, asked.filter, asked.place)}
        />
      )}
    </Context>
  );
}

/** What comes of a filter of the other type. */
function whatFollows({ filter: { name }, place }: Asked, slotType: FilterType): string {
  if (slotType === 'face_swap')
    return place === 'safe'
      ? say(
          '“{name}” is for groups. A booth that calls the slot for one person gets an error once it is switched to the safe filter. A new alias is safer.',
          { name },
        )
      : say(
          '“{name}” is for groups. A booth that calls the slot for one person gets an error from its next photo on. A new alias is safer.',
          { name },
        );
  return place === 'safe'
    ? say(
        '“{name}” is for one person. A booth that calls the slot for groups gets an error once it is switched to the safe filter. A new alias is safer.',
        { name },
      )
    : say(
        '“{name}” is for one person. A booth that calls the slot for groups gets an error from its next photo on. A new alias is safer.',
        { name },
      );
}
