import type { VideoFill } from './picture-shape.ts';

export interface FilledVideo {
  /** ffmpeg's filters. */
  filters: string;
  /** Frames to write. */
  frames: number;
  /** Seconds of the source, where they are slowed down noticeably. */
  slowed: number | undefined;
}

/** Slower than this is said. */
const noticeable = 1.05;

/**
 * Brings a video to a length, a rate and a size. Frames between those of the model are made along the motion of blocks:
 * 0.27 s of one core for a frame of 1280×704, 0.1 s for one of 832×480; so they are made before the video is enlarged,
 * and only where the model's own frames do not fit.
 */
export function fillVideo(
  source: { seconds: number; fps: number },
  { width, height, fps }: VideoFill,
  seconds: number,
): FilledVideo {
  const frames = Math.round(seconds * fps);
  const has = Math.max(2, Math.round(source.seconds * source.fps));
  const fits = Math.abs(source.fps - fps) < 0.01 && has >= frames;
  // The last frame of the source becomes the last frame, so that a video still ends with its last photo.
  const slower = (frames - 1) / fps / ((has - 1) / (source.fps || fps));
  const between = `minterpolate=fps=${fps}:mi_mode=mci:mc_mode=obmc:me=epzs`;
  // The filter looks ahead: without copies of the last frame it would end before it.
  const retimed = [`setpts=(PTS-STARTPTS)*${slower.toFixed(6)}`, 'tpad=stop=4:stop_mode=clone', between];
  const sized = [
    `scale=${width}:${height}:force_original_aspect_ratio=increase:flags=lanczos`,
    `crop=${width}:${height}`,
    'setsar=1',
  ];
  return {
    filters: [...(fits ? [] : retimed), ...sized].join(','),
    frames,
    slowed: !fits && slower > noticeable ? source.seconds : undefined,
  };
}
