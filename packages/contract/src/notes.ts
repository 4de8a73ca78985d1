import type { Ratio } from './common.ts';
import { type Quality, type QualityAnswer, qualityAnswerOf } from './quality.ts';

/** Something that a filter or prompt chose. */
export interface ChoiceNote {
  kind:
    | 'scene'
    | 'costume'
    | 'look'
    | 'light'
    | 'weather'
    | 'palette'
    | 'barrier'
    | 'arrangement'
    | 'camera'
    | 'speed'
    | 'effect'
    | 'gesture'
    | 'transition';
  value: string;
  /** How much of an effect. */
  amount?: 'light' | 'strong';
  /** The prompt's words that asked for it. */
  words?: string;
  /** Why it was chosen otherwise than by its own words, or not followed. */
  reason?: string;
  /** What of it the model cannot do. */
  without?: 'depth';
}

/** What of the catalog is nearest to something that it lacks. */
export interface NearestNote {
  kind: ChoiceNote['kind'];
  value: string;
  /** Whether the picture has it instead; otherwise it is only named, to be chosen. */
  taken: boolean;
}

/** What a job did with a part of its request. */
export type Note =
  | ChoiceNote
  /** The guest's face went into the filter's photo. */
  | { kind: 'template' }
  /** One frame became the other, or could not, for a reason. */
  | { kind: 'morph'; reason?: string }
  /** Something that the prompt does not want. */
  | { kind: 'denied'; value: string }
  /** Words of the prompt for what the picture does not have. */
  | { kind: 'word'; value: string; nearest?: NearestNote }
  /** A field of the request. */
  | { kind: 'input'; value: string; reason?: string }
  | { kind: 'people'; value: number; reason: string }
  | { kind: 'crop'; value: string }
  /** What an event lays over its pictures. */
  | { kind: 'overlay'; value: Ratio | 'video'; reason?: string }
  /** People are shown from closer than was meant. */
  | { kind: 'framing'; value: 'closer' | 'close portrait' | 'as photographed'; reason: string }
  /** What was done to a picture that had come out badly. */
  | { kind: 'mended'; value: string; reason: string }
  /** What another server says of a job that it made. */
  | { kind: 'sentence'; value: string }
  /** Made by another engine than the one that was meant to. */
  | { kind: 'engine'; value: string; reason: string };

/** What of a request was followed, and what was not; and how good the result is, where its engine looked at it. */
export interface Notes {
  applied: Note[];
  ignored: Note[];
  quality?: Quality;
}

/** The same as callers read it. */
export interface Sentences {
  applied: string[];
  ignored: string[];
  quality?: QualityAnswer;
}

export function sentencesOf({ applied, ignored, quality }: Notes): Sentences {
  return {
    applied: applied.map(sentenceOf),
    ignored: ignored.map(sentenceOf),
    ...(quality && { quality: qualityAnswerOf(quality) }),
  };
}

function sentenceOf(note: Note): string {
  switch (note.kind) {
    case 'template':
      return 'template';
    case 'morph':
      return note.reason === undefined ? 'morphed between the two photos' : `morph: ${note.reason}`;
    case 'denied':
      return `no ${note.value}`;
    case 'word':
      return note.nearest === undefined ? note.value : `${note.value}: ${lackingReason(note.nearest)}`;
    case 'sentence':
      return note.value;
    case 'input':
      return note.reason === undefined ? note.value : `${note.value}: ${note.reason}`;
    case 'people':
      return `${note.reason}; there are ${note.value}`;
    case 'crop':
      return `cropped to ${note.value}`;
    case 'overlay':
      return `overlay: ${note.value}${note.reason === undefined ? '' : ` (${note.reason})`}`;
    case 'framing':
    case 'mended':
      return `${note.kind}: ${note.value} (${note.reason})`;
    case 'engine':
      return `made by the ${note.value} engine, because ${note.reason}`;
    default:
      return choiceSentence(note);
  }
}

/** Such as "not in the catalog; the nearest scene is Harbour at dusk". */
export function lackingReason({ kind, value, taken }: NearestNote): string {
  const nearest = taken
    ? `the picture has the nearest ${kind} instead, ${value}`
    : `the nearest ${kind} is ${value}`;
  return `not in the catalog; ${nearest}`;
}

/** Such as "effect: snow, light (light snow)": what a prompt named stands in the prompt's own way of writing. */
function choiceSentence({ kind, value, amount, words, reason, without }: ChoiceNote): string {
  const named = words !== undefined;
  const label = named && kind === 'palette' ? 'colours' : kind;
  const name = named ? value.replaceAll('-', ' ') : value;
  const much = amount === undefined ? '' : `, ${amount}`;
  const source = words ?? reason;
  const asked = source === undefined ? '' : ` (${source})`;
  const refused = named && reason !== undefined ? `: ${reason}` : '';
  const limit = without === undefined ? '' : `, without ${without}`;
  return `${label}: ${name}${much}${asked}${refused}${limit}`;
}
