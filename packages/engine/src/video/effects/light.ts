import { applyLumaGain } from '../../pixels/kernels/wasm-kernels.ts';
import { smoothstep } from '../../pixels/scalar.ts';
import { allocateBytes, withArena } from '../../runtime/arena.ts';
import { type Frame, framesPerSecond } from '../frame.ts';

export interface ClipLight {
  /** How much the light of the whole frame varies. */
  ambient: number;
  /** The strength of a broad band of warm light that goes across once. */
  sweep: number;
  frames: number;
}

/** Columns that a slanted line of light moves for each row. */
const slant = 0.45;

/** Lets the light on a frame change, along slanted lines. Frame 0 is left as it is. */
export function changeLight(frame: Frame, index: number, { ambient, sweep, frames }: ClipLight): void {
  if (ambient === 0 && sweep === 0) return;
  const { width, height } = frame;
  const lines = Math.ceil(width + slant * height) + 1;
  const seconds = index / framesPerSecond;
  const onset = smoothstep(0, 1.5, seconds);
  const at = -0.35 + 1.7 * (index / Math.max(1, frames - 1));
  const gain = new Int32Array(lines);
  const warmth = new Float32Array(lines);
  for (let line = 0; line < lines; line++) {
    const along = line / lines;
    const wander =
      Math.sin(2 * Math.PI * (0.16 * seconds - 0.55 * along)) + Math.sin(2 * Math.PI * 0.55 * along);
    const band = Math.exp(-(((along - at) / 0.13) ** 2));
    const arriving = smoothstep(0, 0.3, seconds);
    warmth[line] = arriving * sweep * band;
    gain[line] = Math.round(4096 * (1 + 0.03 * ambient * onset * wander + 0.34 * warmth[line]!));
  }
  withArena(() => {
    const luma = allocateBytes(frame.y.length);
    luma.set(frame.y);
    applyLumaGain(luma, frame, gain, slant);
    frame.y.set(luma);
  });
  if (sweep === 0) return;
  for (let y = 0, i = 0; y < height / 2; y++) {
    const from = Math.round(slant * 2 * y);
    for (let x = 0; x < width / 2; x++, i++) {
      const warm = warmth[from + 2 * x]!;
      if (warm < 0.02) continue;
      frame.u[i] = frame.u[i]! - Math.round(7 * warm);
      frame.v[i] = frame.v[i]! + Math.round(5 * warm);
    }
  }
}
