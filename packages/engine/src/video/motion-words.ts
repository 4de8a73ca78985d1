import type { ChoiceNote, Note, Notes } from '@guise/contract/notes.ts';
import { findConcepts, type Mention, type Phrase, phrasesOf } from '../prompt/prompt-phrases.ts';
import { readWords, stem, textOf, type Word } from '../prompt/prompt-words.ts';
import {
  type Axis,
  alongside,
  axes,
  besideGestures,
  cameraVerbs,
  clipWords,
  type DirectionKind,
  directions,
  effectWords,
  gestureWords,
  handheldWords,
  paceWords,
  standing,
  subjects,
  transitionWords,
} from './motion-concepts.ts';

export type Effect = keyof typeof effectWords;
export type Transition = keyof typeof transitionWords;
export type Gesture = keyof typeof gestureWords | 'head turn left' | 'head turn right';

/** What a prompt asks of a clip. `applied` is what of it is followed, `ignored` the words that are not. */
export interface Motion extends Notes {
  /** Where the camera goes, on each axis -1, 0 or 1; all 0: it stands. */
  camera: Record<Axis, number>;
  handheld: boolean;
  /** How far and fast the camera goes, as a multiple of the usual. */
  speed: number;
  /** The strength of each effect, as a multiple of the usual; those not asked for are missing. */
  effects: Partial<Record<Effect, number>>;
  /** What people's faces should do, by strength. */
  gestures: Partial<Record<Gesture, number>>;
  /** How two frames should become each other; null when the prompt leaves it open. */
  transition: Transition | null;
}

/** The phrases that prompts for videos are read by. */
const phrases = {
  effects: phrasesOf(effectWords),
  gestures: phrasesOf<keyof typeof gestureWords>(gestureWords),
  transitions: phrasesOf(transitionWords),
  paces: phrasesOf(paceWords),
  standing: phrasesOf({ static: standing }),
  handheld: phrasesOf({ handheld: handheldWords }),
};

const factors = { less: 0.6, more: 1.6 } as const;

/** Reads a prompt for motion by its words alone, so that what it cannot follow it can name. */
export function readMotion(prompt: string): Motion {
  const words = readWords(prompt);
  const gestures = gesturesOf(words);
  const moves = cameraMoves(
    words,
    gestures.flatMap(({ words: met }) => met),
  );
  const stands = distinct(findConcepts(words, phrases.standing).filter(wanted));
  const shakes = distinct(findConcepts(words, phrases.handheld).filter(wanted));
  const effects = distinct(findConcepts(words, phrases.effects).filter(wanted));
  const [transition] = distinct(findConcepts(words, phrases.transitions).filter(wanted));
  const denied = deniedWords(words);
  const cameraWork: Mention[] = [...moves, ...(moves.length === 0 ? stands : []), ...shakes];
  // A still camera on a still looks like a photo: a prompt that names no move gets a gentle one.
  const usual = moves.length === 0 && stands.length === 0 && !denied.some(isMotion);

  const followable = [...cameraWork, ...effects, ...gestures];
  const paces = pacesOf(words, followable, transition);
  const paceOf = (thing: Mention | undefined) => paces.find(({ of }) => of === thing);
  const factorOf = (pace: (typeof paces)[number] | undefined) => (pace ? factors[pace.name] : 1);
  const speed = [...cameraWork, undefined].map(paceOf).find(Boolean);

  const applied: Note[] = cameraWork.map(({ name, words: met }) => note('camera', name, met));
  if (usual) applied.push({ kind: 'camera', value: axes.dolly[0], reason: 'the prompt names no move' });
  if (speed) applied.push(note('speed', speed.name === 'less' ? 'slow' : 'fast', speed.words));
  const noteWithPace = (kind: ChoiceNote['kind'], thing: Mention): Note => {
    const pace = paceOf(thing);
    const met = inOrder([...(pace?.words ?? []), ...thing.words], words);
    return { ...note(kind, thing.name, met), ...(pace && { amount: amounts[pace.name] }) };
  };
  for (const effect of effects) applied.push(noteWithPace('effect', effect));
  for (const gesture of gestures) applied.push(noteWithPace('gesture', gesture));
  if (transition) applied.push(note('transition', transition.name, transition.words));
  for (const word of denied) applied.push({ kind: 'denied', value: word.text });
  const followed = [...followable, ...paces, ...(transition ? [transition] : [])];
  const used = new Set([...denied, ...followed.flatMap(({ words: met }) => met)]);
  const silent = new Set([
    ...stems(clipWords),
    ...effects.flatMap(({ name }) => stems(alongside[name])),
    ...(moves.length + gestures.length > 0 ? stems(subjects) : []),
    ...(gestures.length > 0 ? stems(besideGestures) : []),
  ]);
  const unread = words.filter((word) => !word.filler && !used.has(word) && !silent.has(word.stem));
  const camera = { zoom: 0, dolly: usual ? 1 : 0, pan: 0, tilt: 0, orbit: 0 };
  for (const { axis, sign } of moves) camera[axis] = sign;
  return {
    camera,
    handheld: shakes.length > 0,
    speed: factorOf(speed),
    effects: Object.fromEntries(effects.map((effect) => [effect.name, factorOf(paceOf(effect))])),
    gestures: Object.fromEntries(gestures.map((gesture) => [gesture.name, factorOf(paceOf(gesture))])),
    transition: transition?.name ?? null,
    applied,
    ignored: [...new Set(unread.map((word) => word.text))].map((value) => ({ kind: 'word', value })),
  };
}

const amounts = { less: 'light', more: 'strong' } as const;

const note = (kind: ChoiceNote['kind'], value: string, words: readonly Word[]): ChoiceNote => ({
  kind,
  value,
  words: textOf(words),
});

interface Move extends Mention {
  axis: Axis;
  sign: 1 | -1;
}

/** How far after its verb a direction may stand: "pan slowly across the room to the left". */
const reach = 8;
const namesCamera = new Set(['camera', 'cam', 'lens', 'shot', 'view', 'viewpoint']);

/** What faces should do. A head turns to the side that is said with it, before the next verb of the camera. */
function gesturesOf(words: readonly Word[]): Mention<Gesture>[] {
  return distinct(findConcepts(words, phrases.gestures).filter(wanted)).map((mention) => {
    if (mention.name !== 'head turn') return mention;
    const end = mention.at + mention.words.length;
    const next = words.findIndex((word, k) => k >= end && verbs.has(word.stem));
    const after = words.slice(end, Math.min(end + 5, next < 0 ? words.length : next));
    const side = [...mention.words, ...after].find(({ text }) => text === 'left' || text === 'right');
    if (!side) return mention;
    const name = side.text === 'left' ? 'head turn left' : 'head turn right';
    return { ...mention, name, words: [...new Set([...mention.words, side])] };
  });
}

/** The moves of the camera, at most one on each axis: what is said first counts. */
function cameraMoves(words: readonly Word[], taken: readonly Word[]): Move[] {
  const moves = new Map<Axis, Move>();
  const claimed = new Set(taken);
  const firstContent = words.findIndex((word) => !word.filler);
  for (const [at, word] of words.entries()) {
    const verb = verbs.get(word.stem);
    if (!verb || word.negated) continue;
    const ofCamera = words.slice(Math.max(0, at - 5), at).some((before) => namesCamera.has(before.text));
    if (verb.common && !ofCamera && at !== firstContent) continue;
    const next = words.findIndex((other, k) => k > at && verbs.has(other.stem));
    const after = words.slice(at + 1, Math.min(at + 1 + reach, next < 0 ? words.length : next));
    const before = words.slice(Math.max(0, at - 2), at).reverse();
    const led = [...after, ...before].filter((other) => !claimed.has(other) && turns.has(other.text));
    const turn = led.map((other) => turns.get(other.text)!).find(({ kind }) => verb.goes[kind]);
    const axis = turn ? verb.goes[turn.kind]! : verb.alone;
    if (!axis || moves.has(axis)) continue;
    // Each word once: the second "in" of "dolly in, dust in the light" is about the dust.
    const said = led.filter((other, i) => led.findIndex(({ text }) => text === other.text) === i);
    const met = inOrder([word, ...said.filter((other) => turns.get(other.text) === turn)], words);
    for (const one of met) claimed.add(one);
    const sign = turn?.sign ?? 1;
    moves.set(axis, { name: axes[axis][sign > 0 ? 0 : 1], words: met, at, axis, sign });
  }
  return [...moves.values()];
}

const verbs = new Map(Object.entries(cameraVerbs).map(([name, verb]) => [stem(name), verb]));

const turns = new Map(
  Object.entries(directions).flatMap(([kind, { forth, back }]) =>
    ([1, -1] as const).flatMap((sign) => {
      const turn = { kind: kind as DirectionKind, sign };
      return (sign > 0 ? forth : back).split(' ').map((text) => [text, turn] as const);
    }),
  ),
);

/** Words of pace, each with what it is about: the thing it stands next to. */
function pacesOf(words: readonly Word[], followable: readonly Mention[], transition: Mention | undefined) {
  const taken = new Set(
    [...followable, ...(transition ? [transition] : [])].flatMap(({ words: met }) => met),
  );
  return (
    findConcepts(words, phrases.paces)
      .filter((mention) => wanted(mention) && mention.words.every((word) => !taken.has(word)))
      .map((mention) => ({
        ...mention,
        of: followable.toSorted((a, b) => distance(mention, a) - distance(mention, b))[0],
      }))
      // "light rain" is little rain, "warm light" is light.
      .filter(({ words: met, of, at }) => textOf(met) !== 'light' || of?.at === at + 1)
  );
}

/**
 * Between two phrases, in words. Adjectives stand before what they describe, so that way is nearer; adverbs stand
 * after it as well: "moves in slowly, leaves fall".
 */
function distance(pace: Mention, thing: Mention): number {
  const end = (mention: Mention) => mention.at + mention.words.length;
  const after = pace.words.at(-1)!.text.endsWith('ly') ? 0 : 0.5;
  return thing.at >= pace.at ? thing.at - end(pace) : pace.at - end(thing) + after;
}

/** Denied words that would have moved something: "no snow", "no camera movement". */
function deniedWords(words: readonly Word[]): Word[] {
  const movable: (readonly Phrase[])[] = [
    phrases.effects,
    phrases.gestures,
    phrases.transitions,
    phrases.handheld,
  ];
  const known = new Set(movable.flatMap((list) => findConcepts(words, list)).flatMap((met) => met.words));
  return words.filter((word) => word.negated && !word.filler && (known.has(word) || isMotion(word)));
}

function isMotion(word: Word): boolean {
  return verbs.has(word.stem) || ['motion', 'movement', 'camera'].includes(word.text);
}

const wanted = ({ words }: Mention) => words.every((word) => !word.negated);

/** Each concept once, in the order they are first said, with all the words that name it. */
function distinct<Name extends string>(mentions: readonly Mention<Name>[]): Mention<Name>[] {
  const byName = new Map<Name, Mention<Name>>();
  for (const mention of mentions.toSorted((a, b) => a.at - b.at)) {
    const known = byName.get(mention.name);
    if (!known) byName.set(mention.name, mention);
    else known.words = [...new Set([...known.words, ...mention.words])];
  }
  return [...byName.values()];
}

const stems = (list: string) => list.split(' ').map(stem);
const inOrder = (some: readonly Word[], all: readonly Word[]) =>
  some.toSorted((a, b) => all.indexOf(a) - all.indexOf(b));
