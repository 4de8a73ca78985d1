import { engineSentences } from './engines.ts';
import { eventSentences } from './events.ts';
import { installationSentences } from './installation.ts';
import { jobSentences } from './jobs.ts';
import { noteSentences } from './notes.ts';
import { pictureSentences } from './pictures.ts';
import { settingSentences } from './settings.ts';

/** Sentences of the server in German, by their English: with places where the server puts values in. */
export const germanOfServer = {
  engineSentences,
  eventSentences,
  installationSentences,
  jobSentences,
  pictureSentences,
  settingSentences,
  // Its last sentences begin with one known word and go on with anything.
  noteSentences,
};
