import type { VideoModel } from '@guise/contract/families/video.ts';
import type { ChoiceNote, Note, Notes } from '@guise/contract/notes.ts';
import type { GesturePlan } from './gestures/plan-gestures.ts';
import { axes } from './motion-concepts.ts';
import type { Gesture, Motion } from './motion-words.ts';

/** The people of a photo, as far as what they cannot do is known. */
export interface Gesturing {
  gestures: Pick<GesturePlan, 'refused'>;
}

/** The camera moves that show depth: without layers the picture only grows or slides. */
const movesWithDepth = new Set<string>([...axes.orbit, ...axes.dolly]);

/** What came of the prompt: a model without layers, or a photo without people, cannot follow all of it. */
export function notesOf(motion: Motion, { people }: { people: Gesturing | null }, model: VideoModel): Notes {
  const applied: Note[] = [];
  const ignored = [...motion.ignored];
  for (const note of motion.applied) {
    if (note.kind === 'effect' && model === 'simple')
      ignored.push({ ...note, reason: 'not with the model simple' });
    else if (note.kind === 'transition') ignored.push({ ...note, reason: 'only between two frames' });
    else if (note.kind === 'effect' && note.value === 'breeze' && !people)
      ignored.push({ ...note, reason: 'nobody was found to be in it' });
    else if (note.kind === 'gesture') judgeGesture(note, model, people, { applied, ignored });
    else if (note.kind === 'camera' && model === 'simple' && movesWithDepth.has(note.value))
      applied.push({ ...note, without: 'depth' });
    else applied.push(note);
  }
  return { applied, ignored };
}

/** A gesture is followed as soon as one face does it; who does not is told too. */
function judgeGesture(
  note: ChoiceNote,
  model: VideoModel,
  people: Gesturing | null,
  { applied, ignored }: Notes,
): void {
  const refusal = people?.gestures.refused[note.value as Gesture];
  if (model === 'simple') ignored.push({ ...note, reason: 'not with the model simple' });
  else if (!people) ignored.push({ ...note, reason: 'nobody was found to do it' });
  else if (refusal?.everybody) ignored.push({ ...note, reason: refusal.reason });
  else applied.push(note);
  if (people && refusal && !refusal.everybody)
    ignored.push({ ...note, reason: `not by ${refusal.people} of the people, because ${refusal.reason}` });
}

/** Effects that need people in a layer of their own: to move, or to be in front of. */
export const notBetween: ReadonlySet<string> = new Set(['breeze', 'balloons']);

/** The two frames say where the camera goes: moves that the prompt names are not followed. */
export function notesBetween({ applied, ignored }: Motion): Notes {
  const followed: Note[] = [];
  const moves: Note[] = [];
  const ofPeople: Note[] = [];
  for (const note of applied) {
    if (note.kind === 'camera' || note.kind === 'speed') {
      // A move that the prompt does not name was not asked for.
      if (note.words !== undefined)
        moves.push({ ...note, reason: 'the two frames say where the camera goes' });
    } else if (note.kind === 'gesture' || (note.kind === 'effect' && notBetween.has(note.value))) {
      ofPeople.push({ ...note, reason: 'not between two frames' });
    } else if (note.kind !== 'transition') {
      followed.push(note);
    }
  }
  return { applied: followed, ignored: [...ignored, ...moves, ...ofPeople] };
}
