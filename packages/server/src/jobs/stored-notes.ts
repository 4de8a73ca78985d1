import { type Notes, type Sentences, sentencesOf } from '@guise/contract/notes.ts';
import type { QualityAnswer } from '@guise/contract/quality.ts';

/** A job's notes as its row keeps them. */
export function writeNotes({ applied, ignored, quality }: Notes): string {
  return JSON.stringify({ applied, ignored, quality });
}

/** What callers read of them. Jobs of earlier versions have the sentences themselves in their rows. */
export function readSentences(stored: string): Sentences {
  const notes = JSON.parse(stored) as Notes | Sentences;
  return isWritten(notes) ? notes : sentencesOf(notes);
}

/** How good the picture is, for answers that say nothing else of its notes; null where it was not looked at. */
export function readQuality(stored: string | null): QualityAnswer | null {
  return stored === null ? null : (readSentences(stored).quality ?? null);
}

function isWritten(notes: Notes | Sentences): notes is Sentences {
  return [...notes.applied, ...notes.ignored].some((note) => typeof note === 'string');
}
