/** 0.8333 as 83%. */
export const percent = (rate: number): string => `${Math.round(rate * 100)}%`;

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** Version 3, or versions 3 and 4. */
export const versionsText = (versions: readonly number[]): string =>
  `${versions.length === 1 ? 'Version' : 'Versions'} ${versions.join(' and ')}`;

interface Verdicts {
  cells: number;
  good: number;
  bad: number;
}

/** How far the judging is. */
export function judgedText({ cells, good, bad }: Verdicts): string {
  const judged = good + bad;
  if (judged === 0) return 'Not judged yet';
  return judged === cells ? `All ${cells} judged` : `${judged} of ${cells} judged`;
}
