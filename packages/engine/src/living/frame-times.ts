/** How the shots of a burst are played: to the last and back, or from the first to the last. */
export type LivingLoop = 'ping_pong' | 'forward';

/** A place between two shots that follow each other. */
export interface FrameTime {
  /** The number of the earlier shot. */
  shot: number;
  /** From 0 at the earlier shot to less than 1 at the later one. */
  time: number;
}

export interface FramePlan {
  /** The frames that differ, in the order in which they are made. */
  times: FrameTime[];
  /** For each frame of the clip, which of them it shows. */
  order: number[];
}

/**
 * When each frame of a clip lies between the shots. Motion begins and ends slowly. There and back, all frames but the
 * two at the ends occur twice, and are made once.
 */
export function planFrames(shots: number, frames: number, loop: LivingLoop): FramePlan {
  const last = shots - 1;
  const placeOf = (way: number): FrameTime => {
    const at = last * (0.5 - 0.5 * Math.cos(Math.PI * way));
    const shot = Math.min(last - 1, Math.floor(at + 1e-9));
    return { shot, time: Math.max(0, at - shot) };
  };
  if (loop === 'forward') {
    const times = Array.from({ length: frames }, (_, i) => placeOf(i / (frames - 1)));
    return { times, order: times.map((_, i) => i) };
  }
  const half = frames / 2;
  return {
    times: Array.from({ length: half + 1 }, (_, i) => placeOf(i / half)),
    order: Array.from({ length: frames }, (_, i) => Math.min(i, frames - i)),
  };
}
