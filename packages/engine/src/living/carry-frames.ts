import { moveFace } from '../faces/face-outline.ts';
import type { Size } from '../pixels/plane.ts';
import type { FrameCarrier, WholeFrame } from '../video/first-to-last/frame-carrier.ts';
import { startFrameThreads } from '../video/frame-threads.ts';
import { comparedPart, comparedSize, windowOfPeople } from './compared-part.ts';
import { type FlowFinder, withFlowFinder } from './frame-flow.ts';
import { guideFrom, type Keyframe, scalePlanes, windowAround } from './keyframe.ts';
import { makeLivingClip } from './living-clip.ts';
import { judgePair } from './pair-judge.ts';
import type { DrawnShot } from './shot.ts';

/**
 * Of two frames, and of the part of them around people, at most this share of blocks does not come together. Less than
 * between the shots of a burst: what is behind people takes part, and the two frames are all that is known.
 */
const mostApart = 0.08;

/** Pixels of the clip for one of the network's. */
const factor = 2;

/** Carries one frame into another as the shots of a burst are carried. */
export function createFrameCarrier(cacheDir: string | null): FrameCarrier {
  return {
    fits: (first, last) => withFlowFinder((find) => comeTogether(first, last, find), cacheDir),
    async make(first, last, { size, ...clip }) {
      const shots = [first, last].map((frame, index) => wholeShot(frame, index, size));
      const keyframes = shots.map(({ keyframe }) => keyframe);
      const scene = { ...size, plate: keyframes[0]!.colour, front: null, finish: null };
      const threads = startFrameThreads(new URL('./living-renderer.ts', import.meta.url));
      const options = { ...clip, format: 'mp4', loop: 'forward', threads } as const;
      try {
        await withFlowFinder(
          (find) => makeLivingClip(shots, scene, windowAround(keyframes, factor), { ...options, find }),
          cacheDir,
        );
      } finally {
        await threads.close();
      }
    },
  };
}

async function comeTogether(first: WholeFrame, last: WholeFrame, find: FlowFinder): Promise<boolean> {
  if (first.faces.length === 0 || first.faces.length !== last.faces.length) return false;
  const { width, height } = first.picture;
  const whole = { x: 0, y: 0, width, height };
  for (const window of [windowOfPeople(first.picture, first.faces), whole]) {
    const size = comparedSize(window);
    const [one, other] = [first, last].map(({ picture }) => comparedPart(picture, window, size));
    if ((await judgePair(find, one!, other!, size)) > mostApart) return false;
  }
  return true;
}

/** A frame as a shot that fills the clip. */
function wholeShot({ picture, faces }: WholeFrame, index: number, size: Size): DrawnShot {
  const colour = scalePlanes(picture.planes, picture, size);
  const alpha = new Float32Array(new SharedArrayBuffer(4 * size.width * size.height)).fill(1);
  const keyframe: Keyframe = { ...size, colour, alpha };
  const scale = size.width / picture.width;
  return {
    index,
    keyframe,
    guide: guideFrom(keyframe, factor, false),
    faces: faces.map((face) => moveFace(face, { scale, x: 0, y: 0 })),
  };
}
