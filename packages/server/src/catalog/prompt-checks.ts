import type { PromptCheck, PromptToCheck } from '@guise/contract/definition-checks.ts';
import { lackingReason, type Note, sentencesOf } from '@guise/contract/notes.ts';
import { expectNotes } from '@guise/engine/expected-notes.ts';
import type { Options } from './filter-options.ts';

/** Tells before a run is charged which words of its prompt will be followed. */
export type CheckPrompt = (wanted: PromptToCheck) => Promise<PromptCheck>;

/** `isMadeLocally` says whether the local engine, which reads words by tables, would make it. */
export function createPromptCheck(
  readOptions: () => Promise<Options>,
  isMadeLocally: (wanted: PromptToCheck) => Promise<boolean>,
): CheckPrompt {
  return async (wanted) => {
    if (!(await isMadeLocally(wanted)))
      return { read_by_words: false, applied: [], ignored: [], by_meaning: [] };
    const { scenes, costumes, looks } = await readOptions();
    const notes = expectNotes(wanted, { scenes, costumes, looks: looks.map(({ name }) => name) });
    return {
      read_by_words: true,
      applied: sentencesOf(notes).applied,
      ignored: notes.ignored.map(ignoredWords),
      by_meaning: notes.byMeaning,
    };
  };
}

function ignoredWords(note: Note): PromptCheck['ignored'][number] {
  if (note.kind === 'word')
    return { words: note.value, reason: note.nearest === undefined ? null : lackingReason(note.nearest) };
  const [sentence = ''] = sentencesOf({ applied: [note], ignored: [] }).applied;
  const words = 'words' in note && note.words !== undefined ? note.words : undefined;
  return {
    words: words ?? sentence,
    reason: words !== undefined && 'reason' in note ? (note.reason ?? null) : null,
  };
}
