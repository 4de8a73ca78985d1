import type { Note, Notes } from '@guise/contract/notes.ts';
import type { Face } from '../faces/face.ts';
import type { Picture } from '../pixels/picture.ts';
import { cannotMake, RenderError } from '../runtime/render-error.ts';
import type { Guide, Keyframe } from './keyframe.ts';
import type { LivingScene } from './living-stage.ts';

/** One photo of a burst, and the people in it. */
export interface Shot {
  /** From 0, in the order of the request. */
  index: number;
  photo: Picture;
  faces: Face[];
}

/** A shot as it goes into the clip. */
export interface DrawnShot {
  index: number;
  keyframe: Keyframe;
  guide: Guide;
  /** On the clip. */
  faces: Face[];
}

/** Draws the shots of a burst one after the other, all of them as the first. */
export interface ShotDrawer {
  /** Where the shot belongs into the clip; and its finished picture, where that is asked for. */
  draw(shot: Shot, wantsStill: boolean): Promise<{ drawn: DrawnShot; still: Picture | null }>;
  /** What all frames have in common, known after the first shot. */
  scene(): LivingScene;
  applied(): Note[];
  ignored(): Note[];
  /** How good the first shot came out, where it was looked at. */
  quality(): Pick<Notes, 'quality'>;
}

/** Why a shot is not in the clip, as callers read it: "Shot 3: it shows nobody". */
export function refuseShot(index: number, reason: string): Note {
  return { kind: 'input', value: `Shot ${index + 1}`, reason };
}

/** The reason in a sentence for the guest. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof RenderError) || error.code !== 'ENGINE_REFUSED') throw error;
  return error.message.replace(/\.$/, '');
}

export const fewestShots = 2;
export const mostShots = 8;

export function assertShotCount(count: number): void {
  if (count < fewestShots || count > mostShots) {
    throw cannotMake(
      `A living portrait is made of ${fewestShots} to ${mostShots} shots, and there ${count === 1 ? 'is 1' : `are ${count}`}.`,
    );
  }
}
