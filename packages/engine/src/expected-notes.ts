import type { FamilyName } from '@guise/contract/families/families.ts';
import type { VideoModel } from '@guise/contract/families/video.ts';
import type { Note, Notes } from '@guise/contract/notes.ts';
import { readPrompt } from './prompt/prompt.ts';
import type { PromptChoices } from './prompt/prompt-choice.ts';
import { notesBetween, notesOf } from './video/motion-notes.ts';
import { readMotion } from './video/motion-words.ts';

/** What will be followed of a prompt, as far as its words alone say. */
export interface ExpectedNotes extends Notes {
  /** Words that name nothing: a run takes what is nearest to them in meaning, or ignores them. */
  byMeaning: string[];
}

/** People of whom nothing is known yet, so that nothing is refused. */
const somebody = { gestures: { refused: {} } };

/** Reads a prompt before there is a photo, without a network and in a millisecond. */
export function expectNotes(
  { family, model, prompt }: { family: FamilyName; model: VideoModel; prompt: string },
  choices: PromptChoices,
): ExpectedNotes {
  if (family === 'single_frame_video')
    return { ...notesOf(readMotion(prompt), { people: somebody }, model), byMeaning: [] };
  if (family === 'first_last_frame_video') return { ...notesBetween(readMotion(prompt)), byMeaning: [] };
  const { applied, ignored } = readPrompt(prompt, choices);
  const isNearest = (note: Note) => note.kind === 'word' && note.nearest !== undefined;
  return {
    applied,
    ignored: ignored.filter(isNearest),
    byMeaning: ignored.flatMap((note) => (note.kind === 'word' && !isNearest(note) ? note.value : [])),
  };
}
