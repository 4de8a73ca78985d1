import type { Face } from '../../faces/face.ts';
import type { Size } from '../../pixels/plane.ts';
import type { Motion } from '../motion-words.ts';
import type { Comparison } from './comparison.ts';
import { identity, inverseOf, newField, sharedPlane } from './field.ts';
import { coveringZoom, type Passage, type Way, type Zoom } from './passage.ts';

export interface PlannedPassage {
  passage: Passage;
  applied: string[];
  ignored: string[];
}

interface Faces {
  first: readonly Face[];
  last: readonly Face[];
}

/** How the first frame becomes the last: bent into it when they show the same, else by a designed transition. */
export function planPassage(
  comparison: Comparison,
  motion: Motion,
  size: Size,
  faces: Faces,
): PlannedPassage {
  const words = wordsOf(motion);
  const wish = motion.transition;
  if (comparison.related && (wish === null || wish === 'morph')) {
    return {
      passage: {
        kind: 'morph',
        ground: comparison.ground,
        people: comparison.people,
        blend: { agreed: 0.8, doubted: 0.22 },
        zoom: { most: 1, from: centre(size), to: centre(size) },
        leak: 0,
      },
      applied: [`morph: the frames share ${comparison.inliers} points`, ...words.applied],
      ignored: words.ignored,
    };
  }
  const focus = { from: focusOf(faces.first, size), to: focusOf(faces.last, size) };
  const matched = comparison.faces > 0 && wish !== 'dissolve';
  const passage = matched ? matchedFaces(comparison, size, focus) : dissolve(comparison, focus);
  if (wish === 'light leak') passage.leak = 1;
  if (wish === 'dissolve') passage.leak = 0;
  const parts = [
    ...(matched ? ['zoom matched on the faces'] : []),
    ...(passage.leak > 0 ? ['light leak'] : []),
    'dissolve',
  ];
  const why = comparison.related ? 'as the prompt asks' : 'the frames have too little in common to morph';
  const ignored =
    wish === 'morph' ? ['morph: the frames have too little in common', ...words.ignored] : words.ignored;
  return {
    passage,
    applied: [`transition: ${parts.join(', ')} (${why})`, ...words.applied],
    ignored,
  };
}

/** Both frames go so that their faces lie on each other while one gives way to the other. */
function matchedFaces(
  { ground: { there, back } }: Comparison,
  size: Size,
  focus: Pick<Zoom, 'from' | 'to'>,
): Passage {
  const blend = { agreed: 0.5, doubted: 0.34 };
  const { map, zoom, share } = coveringZoom(size, there.map, focus, { least: 1.08, blend: blend.agreed });
  return {
    kind: 'transition',
    ground: {
      there: inPart({ ...there, map }, share),
      back: inPart({ ...back, map: inverseOf(map) }, share),
    },
    people: null,
    blend,
    zoom,
    leak: 0.5,
  };
}

function dissolve({ ground: { there } }: Comparison, focus: Pick<Zoom, 'from' | 'to'>): Passage {
  const still = inPart({ ...there, map: identity }, 0);
  return {
    kind: 'transition',
    ground: { there: still, back: still },
    people: null,
    blend: { agreed: 0.34, doubted: 0.34 },
    zoom: { most: 1.12, ...focus },
    leak: 0.7,
  };
}

/** Faces that come together only in part are bent only so far, and agree only so far. */
function inPart(way: Way, share: number): Way {
  if (share === 1) return way;
  const rest = newField(way.rest);
  for (let i = 0; i < rest.x.length; i++) {
    rest.x[i] = share * way.rest.x[i]!;
    rest.y[i] = share * way.rest.y[i]!;
  }
  const trust = sharedPlane(way.trust.length);
  for (let i = 0; i < trust.length; i++) trust[i] = share * share * way.trust[i]!;
  return { ...way, rest, trust };
}

const centre = ({ width, height }: Size) => ({ x: width / 2, y: height / 2 });

/** Between the faces; without any, the middle. */
function focusOf(faces: readonly Face[], size: Size): { x: number; y: number } {
  if (faces.length === 0) return centre(size);
  const mean = (of: (face: Face) => number) => faces.reduce((sum, face) => sum + of(face), 0) / faces.length;
  return { x: mean((face) => face.center.x), y: mean((face) => face.center.y) };
}

/** The two frames say where the camera goes: moves that the prompt names are not followed. */
function wordsOf({ applied, ignored }: Motion): { applied: string[]; ignored: string[] } {
  const isMove = (text: string) => text.startsWith('camera: ') || text.startsWith('speed: ');
  const asked = applied.filter((text) => isMove(text) && !text.endsWith('(the prompt names no move)'));
  return {
    applied: applied.filter((text) => !isMove(text) && !isBreeze(text) && !isTransition(text)),
    ignored: [
      ...ignored,
      ...asked.map((text) => `${text}: the two frames say where the camera goes`),
      ...applied.filter(isBreeze).map((text) => `${text}: not between two frames`),
    ],
  };
}

const isBreeze = (text: string) => text.startsWith('effect: breeze');
const isTransition = (text: string) => text.startsWith('transition: ');
