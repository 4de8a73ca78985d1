import { ffmpeg } from '../engines/workflow/run-ffmpeg.ts';

/** What a loop in MP4 is converted to, for messengers and pages that play no videos: narrower, and 16 frames a second. */
const filters = 'fps=16,scale=w=min(540\\,iw):h=-2:flags=lanczos';
const formats = {
  // A palette for the whole loop: with one for each frame, still parts would flicker.
  gif: [
    '-filter_complex',
    `${filters},split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=bayer:bayer_scale=4`,
  ],
  webp: ['-vf', filters, '-c:v', 'libwebp_anim', '-quality', '80', '-an'],
} as const;
export type ConvertedFormat = keyof typeof formats;

const timeLimitMs = 60_000;

/** Writes a loop that this server has made in another format, beside it, and gives the path. */
export async function convertLoop(loop: string, format: ConvertedFormat): Promise<string> {
  const target = `${loop}.${format}`;
  const input = ['-protocol_whitelist', 'file', '-f', 'mov', '-i', loop];
  const signal = AbortSignal.timeout(timeLimitMs);
  const { ok, said } = await ffmpeg([...input, ...formats[format], '-loop', '0', target], signal);
  if (!ok) throw new Error(`ffmpeg could not convert a loop: ${said.slice(-500)}`);
  return target;
}
