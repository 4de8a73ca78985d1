import type { Price } from '@guise/contract/families/prices.ts';
import type { VideoModel } from '@guise/contract/families/video.ts';
import { say } from '../../words/say.ts';

interface VideoModelWords {
  value: VideoModel;
  label: string;
  /** What it can do. */
  text: string;
  /** A prompt that it follows whole. */
  example: string;
}

const whole = 'The camera moves in slowly, confetti falls, she smiles';

/** The models that make a video from one photo. */
export const videoModels: readonly VideoModelWords[] = [
  {
    value: 'simple',
    label: say('Simple'),
    text: say('The camera moves over the still photo. Fastest, 4 s only.'),
    example: 'The camera moves in slowly and pans to the left',
  },
  {
    value: 'advanced',
    label: say('Advanced'),
    text: say('People come off their background; snow, confetti, light, smiles and nods.'),
    example: whole,
  },
  {
    value: 'performance',
    label: say('Performance'),
    text: say('As Advanced, in full HD and any format; faces with depth, eyes that blink.'),
    example: whole,
  },
];

/** A prompt that a first and a last frame follow whole. */
export const transitionExample = 'Morph slowly, rose petals fall';

export const exampleFor = (model: VideoModel) =>
  videoModels.find(({ value }) => value === model)?.example ?? whole;

/** Credits of a video, such as "2 credits a second". */
export function priceBySecond(price: Price | undefined, model: VideoModel): string | undefined {
  if (price === undefined || typeof price === 'number') return undefined;
  const credits = price.perSecond[model];
  if (credits === undefined) return undefined;
  return credits === 1 ? say('1 credit a second') : say('{count} credits a second', { count: credits });
}
