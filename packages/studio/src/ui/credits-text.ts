import { numberText } from '../words/language.ts';
import { say } from '../words/say.ts';

export const creditsText = (count: number): string =>
  count === 1 ? say('1 credit') : say('{count} credits', { count: numberText(count) });
