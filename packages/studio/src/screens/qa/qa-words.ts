import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';

/** 0.8333 as 83%. */
export const percent = (rate: number): string => say('{percent}%', { percent: Math.round(rate * 100) });

export const picturesText = (count: number): string =>
  count === 1 ? say('1 picture') : say('{count} pictures', { count: numberText(count) });

export const peopleText = (count: number): string =>
  count === 1 ? say('1 person') : say('{count} people', { count: numberText(count) });

/** Version 3, or versions 3 and 4. */
export function versionsText([first, second]: readonly number[]): string {
  if (second === undefined) return say('Version {version}', { version: first! });
  return say('Versions {first} and {second}', { first: first!, second });
}

interface Verdicts {
  cells: number;
  good: number;
  bad: number;
}

/** How far the judging is. */
export function judgedText({ cells, good, bad }: Verdicts): string {
  const judged = good + bad;
  if (judged === 0) return say('Not judged yet');
  return judged === cells
    ? say('All {count} judged', { count: cells })
    : say('{judged} of {count} judged', { judged, count: cells });
}
