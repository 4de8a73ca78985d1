import type { Note, Notes } from '@guise/contract/notes.ts';
import type { Face } from '../../faces/face.ts';
import type { Size } from '../../pixels/plane.ts';
import { notesBetween } from '../motion-notes.ts';
import type { Motion } from '../motion-words.ts';
import type { Comparison } from './comparison.ts';
import { identity, inverseOf, newField, sharedPlane } from './field.ts';
import { coveringZoom, type FrameMotion, type Passage, type Zoom } from './passage.ts';

export interface PlannedPassage extends Notes {
  passage: Passage;
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
  const notes = notesBetween(motion);
  const asked = motion.transition;
  if (comparison.related && (asked === null || asked === 'morph')) {
    return {
      passage: {
        kind: 'morph',
        ground: comparison.ground,
        people: comparison.people,
        blend: { agreed: 0.8, doubted: 0.22 },
        zoom: { most: 1, from: centre(size), to: centre(size) },
        leak: 0,
      },
      applied: [{ kind: 'morph' }, ...notes.applied],
      ignored: notes.ignored,
    };
  }
  const focus = { from: focusOf(faces.first, size), to: focusOf(faces.last, size) };
  const matched = comparison.faces > 0 && asked !== 'dissolve';
  const passage = matched ? matchedFaces(comparison, size, focus) : dissolve(comparison, focus);
  if (asked === 'light leak') passage.leak = 1;
  if (asked === 'dissolve') passage.leak = 0;
  const parts = [
    ...(matched ? ['zoom matched on the faces'] : []),
    ...(passage.leak > 0 ? ['light leak'] : []),
    'dissolve',
  ];
  const reason = comparison.related ? 'as the prompt asks' : 'the frames have too little in common to morph';
  const notMorphed: Note = { kind: 'morph', reason: 'the frames have too little in common' };
  return {
    passage,
    applied: [{ kind: 'transition', value: parts.join(', '), reason }, ...notes.applied],
    ignored: asked === 'morph' ? [notMorphed, ...notes.ignored] : notes.ignored,
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
function inPart(way: FrameMotion, share: number): FrameMotion {
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
