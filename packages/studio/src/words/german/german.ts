import { appAndKeys } from './app-and-keys.ts';
import { common } from './common.ts';
import { eventsForm } from './events-form.ts';
import { eventsFormLook } from './events-form-look.ts';
import { eventsFormOffers } from './events-form-offers.ts';
import { eventsRest } from './events-rest.ts';
import { filters } from './filters.ts';
import { filtersCreator } from './filters-creator.ts';
import { jobsAndUsage } from './jobs-and-usage.ts';
import { operator } from './operator.ts';
import { operatorEngines } from './operator-engines.ts';
import { qaAndScenes } from './qa-and-scenes.ts';
import { tryAndAliases } from './try-and-aliases.ts';

/** Every text of the studio in German, by its English. */
export const german = {
  ...common,
  ...appAndKeys,
  ...eventsForm,
  ...eventsFormLook,
  ...eventsFormOffers,
  ...eventsRest,
  ...filters,
  ...filtersCreator,
  ...jobsAndUsage,
  ...operator,
  ...operatorEngines,
  ...qaAndScenes,
  ...tryAndAliases,
} as const;
export type German = typeof german;
