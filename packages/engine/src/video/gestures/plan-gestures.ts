import type { Face } from '../../faces/face.ts';
import type { Picture } from '../../pixels/picture.ts';
import { smoothstep } from '../../pixels/scalar.ts';
import type { PhotoBorders } from '../effects/idle-motion.ts';
import type { Gesture, Motion } from '../motion-words.ts';
import { type Displacement, displacementOf } from './face-displacement.ts';
import type { FaceMotion } from './gesture-course.ts';
import { lipGap, mostPeople, refusalOf } from './gesture-refusal.ts';

/** Somebody's face doing something. */
export interface FaceGesture {
  motion: FaceMotion;
  displacement: Displacement;
  /** Seconds that this person is later than the first. */
  delay: number;
}

/** What faces do in a clip, and why others do not. Goes to the rendering threads as it is. */
export interface GesturePlan {
  faces: FaceGesture[];
  /** By gesture; a gesture that everybody refuses is not done at all. */
  refused: Partial<Record<Gesture, GestureRefusal>>;
}

export interface GestureRefusal {
  reason: string;
  /** How many of the people do not do it. */
  people: number;
  everybody: boolean;
}

const motions: Record<Gesture, { motion: FaceMotion; side: number }> = {
  smile: { motion: 'smile', side: 0 },
  nod: { motion: 'nod', side: 0 },
  'head turn': { motion: 'head turn', side: 0 },
  'head turn left': { motion: 'head turn', side: -1 },
  'head turn right': { motion: 'head turn', side: 1 },
};

/** Stronger than this, a warp shows. */
const strongest = 1.2;

export interface GestureOptions {
  /** In the frame's pixels. */
  faces: readonly Face[];
  /** The layer of people, and their faces in its pixels. */
  layer: Picture;
  onLayer: readonly Face[];
  bounds: PhotoBorders;
}

/** What of the gestures each face can do. */
export function planGestures(
  gestures: Motion['gestures'],
  { faces, layer, onLayer, bounds }: GestureOptions,
): GesturePlan {
  const plan: GesturePlan = { faces: [], refused: {} };
  for (const [gesture, strength] of Object.entries(gestures) as [Gesture, number][]) {
    const { motion, side } = motions[gesture];
    const reasons: string[] = [];
    for (const [i, face] of faces.entries()) {
      const judged = { face, onLayer: onLayer[i]!, others: faces.filter((other) => other !== face) };
      const reason =
        faces.length > mostPeople
          ? `there are more than ${mostPeople} people`
          : refusalOf(judged, motion, side, bounds, layer);
      if (reason !== null) {
        reasons.push(reason);
        continue;
      }
      const amount = Math.min(strongest, strength) * (motion === 'smile' ? smileShare(face) : 1);
      // Without a side a head turns back to the camera, or on to the right.
      const sign = motion === 'head turn' ? side || (face.yaw > 0.05 ? -1 : 1) : 1;
      plan.faces.push({
        motion,
        displacement: displacementOf(face, motion, sign * amount),
        delay: (0.23 * i) % 0.6,
      });
    }
    if (reasons.length > 0)
      plan.refused[gesture] = {
        reason: mostFrequent(reasons),
        people: reasons.length,
        everybody: reasons.length === faces.length,
      };
  }
  return plan;
}

/** Parted lips are smiling already: their teeth would be drawn wide. */
function smileShare(face: Face): number {
  return 1 - 0.55 * smoothstep(0.015, 0.06, lipGap(face));
}

function mostFrequent(reasons: readonly string[]): string {
  const count = (reason: string) => reasons.filter((other) => other === reason).length;
  return reasons.reduce((best, reason) => (count(reason) > count(best) ? reason : best));
}
