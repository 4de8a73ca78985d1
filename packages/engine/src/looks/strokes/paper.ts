import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import { clouds, whiteNoise } from '../../pixels/noise.ts';
import { allocatePlane, type Plane, type Size } from '../../pixels/plane.ts';
import { withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

/** The tooth (surface texture) of drawing paper, about −0.5 to 0.5: fine and coarse grain. `grain` is in pixels. */
export function paperTooth({ width, height }: Size, grain: number, seed: number): Plane {
  return withArena(() => {
    const tooth = gaussianBlur(whiteNoise({ width, height }, seed), grain * 0.45);
    const coarse = clouds({ width, height }, { largest: grain * 3.2, octaves: 2, seed: seed + 7 }).data;
    // A blur lowers the contrast of white noise to about 1 / (2·√π·sigma) of it.
    const gain = 0.9 * Math.max(1, grain * 0.45 * 3.5) * 0.5;
    forRows(toothRows, height, { width, coarse, gain }, { tooth: tooth.data });
    return tooth;
  });
}

export function toothRows(
  { width, coarse, gain }: { width: number; coarse: Float32Array; gain: number },
  { tooth }: { tooth: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) tooth[i] = (tooth[i]! - 0.5) * gain + coarse[i]! * 0.35;
}

/** The shading of a height map under light from the upper left, around 0. */
export function shadeRelief({ width, height, data }: Plane): Plane {
  const shade = allocatePlane({ width, height });
  forRows(reliefRows, height, { width, height, data }, { shade: shade.data });
  return shade;
}

export function reliefRows(
  { width, height, data }: Plane,
  { shade }: { shade: Float32Array },
  from: number,
  to: number,
): void {
  for (let y = from; y < to; y++) {
    let i = y * width;
    let below = Math.min(height - 1, y + 1) * width;
    const last = i + width - 1;
    for (; i < last; i++, below++) shade[i] = 2 * data[i]! - data[i + 1]! - data[below]!;
    shade[last] = data[last]! - data[below]!;
  }
}
