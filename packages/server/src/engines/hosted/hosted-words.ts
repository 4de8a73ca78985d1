import type { AnyParams } from '@guise/contract/families/families.ts';
import type { Notes } from '@guise/contract/notes.ts';
import type { Ability, EngineRequest } from '../engine.ts';
import { seedOf } from '../seed.ts';

/** The words for a model that edits photos, or makes a picture from words alone: those of the reference workflows. */
export function promptOf({ words, prompt, images, output }: EngineRequest): string {
  const { change = '', style = '', picture = '' } = words ?? {};
  if (output === 'video' || images.length === 0) return plain(picture || (prompt ?? ''));
  const keep =
    images.length === 1
      ? 'Keep every person of the photo with their own face, hair, skin, age, glasses and number.'
      : 'Put the people of all the pictures together into one picture, each with their own face, hair, skin, age and glasses.';
  return plain(`${keep} ${change} Make it ${style}.`);
}

/** Without brackets: some servers read settings in tags out of a prompt, and a guest may write one. */
const plain = (text: string) => text.replace(/[<>]/g, ' ').trim();

/** Services take seeds of 31 bits. */
export function hostedSeedOf(request: EngineRequest): number {
  const { seed }: AnyParams = request.params;
  return seed ?? seedOf(request) >>> 1;
}

/** What of the request the service was told, and what not. */
export function hostedNotesOf(
  { params, prompt, output }: EngineRequest,
  told: { seed: boolean; duration: boolean },
): Notes {
  const { seed, outpaint, gender }: AnyParams = params;
  const reason = 'the picture service does not take it';
  const inputs = [
    { value: 'the prompt', asked: prompt !== null, isTold: true },
    { value: 'seed', asked: seed !== undefined, isTold: told.seed },
    { value: 'outpaint', asked: outpaint === true, isTold: false },
    { value: 'duration', asked: output === 'video', isTold: told.duration },
    { value: 'gender', asked: gender !== undefined, isTold: true },
  ];
  const asked = inputs.filter((input) => input.asked);
  return {
    applied: asked.filter(({ isTold }) => isTold).map(({ value }) => ({ kind: 'input', value })),
    ignored: asked.filter(({ isTold }) => !isTold).map(({ value }) => ({ kind: 'input', value, reason })),
  };
}

/** What of a route a model makes that is told in words and shown photos: no graphs, and no faces in templates. */
export function narrowAbilities(abilities: readonly Ability[], photos: readonly number[]): Ability[] {
  return abilities.map((ability) => ({ ...ability, exceptKinds: ['workflow', 'template'], photos }));
}
