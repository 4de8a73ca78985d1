import type { DetailProblem, GivenDetails, ShownGuestDetail } from './details.ts';
import { hasBlockedWord } from './word-filter.ts';

/** Looks at what a guest gave, by detail: on the booth while it is typed, and on the server again. */
export function problemsOf(
  details: readonly ShownGuestDetail[],
  given: GivenDetails,
  blockedWords: readonly string[],
): Readonly<Record<string, DetailProblem>> {
  const found = details.flatMap((detail) => {
    const problem = problemOf(detail, (given[detail.id] ?? '').trim(), blockedWords);
    return problem ? [[detail.id, problem] as const] : [];
  });
  return Object.fromEntries(found);
}

function problemOf(
  detail: ShownGuestDetail,
  text: string,
  blockedWords: readonly string[],
): DetailProblem | null {
  if (text === '') return detail.required ? 'missing' : null;
  switch (detail.kind) {
    case 'choice':
      return detail.choices?.some(({ id }) => id === text) ? null : 'choice';
    case 'number': {
      const { least = 0, most = 0 } = detail;
      const isWithin = /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most;
      return isWithin ? null : 'number';
    }
    case 'text':
      if ([...text].length > (detail.letters ?? 0) || /\p{Cc}/u.test(text)) return 'long';
      return hasBlockedWord(text, blockedWords) ? 'blocked' : null;
  }
}
