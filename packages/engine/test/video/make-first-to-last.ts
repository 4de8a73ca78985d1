import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { sentencesOf } from '@guise/contract/notes.ts';
import { createFrameCarrier } from '../../src/living/carry-frames.ts';
import { renderFirstToLast } from '../../src/video/first-to-last/first-to-last.ts';
import { readMotion } from '../../src/video/motion-words.ts';

/** Frames of a clip that a test looks at. */
export const clipFrames = 25;

/** Clips take seconds, or minutes where forty others want the same two cores. */
export const clipTimeout = { timeout: 900_000 };

const folder = mkdtempSync(join(tmpdir(), 'guise-between-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A clip from one photo to another, with what it says about itself. */
export async function makeFirstToLast(first: string, last: string, prompt: string) {
  const file = join(folder, `${Math.random()}.mp4`);
  const signal = new AbortController().signal;
  const options = { model: 'advanced', aspect: 'auto', frames: clipFrames, seed: 1, file, signal } as const;
  const notes = await renderFirstToLast(
    [first, last],
    { ...options, motion: readMotion(prompt), progress() {} },
    createFrameCarrier(null),
  );
  return { ...sentencesOf(notes), file };
}
