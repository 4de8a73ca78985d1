import type { Rgb } from '../../pixels/colour.ts';
import { fromLab, toLab } from '../../pixels/lab.ts';
import { percentileOfPlane } from '../../pixels/percentile.ts';
import { lumaPlane, mapPlanes, type Picture, type Planes } from '../../pixels/picture.ts';
import { clamp, mix } from '../../pixels/scalar.ts';
import { allocateCopy, withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

const steps = 2048;

/**
 * Spreads the tones over the whole range and moves faces half of the way to a middle skin tone: looks are tuned for one
 * exposure, and photos of events are overexposed by a flash or dim. Half of the way keeps skin tones apart. `face` is 1
 * in faces.
 */
export function correctExposure(picture: Picture, face?: Float32Array): Picture {
  const { width, height } = picture;
  return withArena(() => {
    const planes = mapPlanes(picture.planes, allocateCopy);
    const light = lumaPlane({ width, height, planes });
    const black = Math.min(0.12, percentileOfPlane(light, 0.01));
    const white = Math.max(0.8, percentileOfPlane(light, 0.992));
    const middle = clamp((percentileOfPlane(light, 0.5, face) - black) / (white - black), 0.05, 0.95);
    const wanted = (middle + (face ? 0.58 : 0.45)) / 2;
    const gamma = clamp(Math.log(wanted) / Math.log(middle), 0.55, 1.3);
    const spread = (value: number) => clamp((value - black) / (white - black), 0, 1) ** gamma;
    const balance = face ? skinBalance(meanColor(picture, face, spread)) : [1, 1, 1];
    const curves = balance.map((power) =>
      Float32Array.from({ length: steps + 1 }, (_, i) => spread(i / steps) ** power),
    );
    forRows(curveRows, height, { width, curves }, { planes });
    return { width, height, planes };
  });
}

export function curveRows(
  { width, curves }: { width: number; curves: readonly Float32Array[] },
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  for (const [c, plane] of planes.entries()) {
    const curve = curves[c]!;
    for (let i = from * width; i < to * width; i++)
      plane[i] = curve[(clamp(plane[i]!, 0, 1) * steps + 0.5) | 0]!;
  }
}

/**
 * A gamma for each channel that removes a yellow or pink cast from skin; blacks and whites stay. Looks that strengthen
 * colour turned olive faces in window light green. Faces lit in blue or green stay as they are.
 */
function skinBalance(skin: Rgb): number[] {
  const [red, green, blue] = skin;
  const lab = toLab({
    width: 1,
    height: 1,
    planes: [Float32Array.of(red), Float32Array.of(green), Float32Array.of(blue)],
  });
  const hue = (Math.atan2(lab.b[0]!, lab.a[0]!) * 180) / Math.PI;
  const chroma = Math.hypot(lab.a[0]!, lab.b[0]!);
  if (hue < 15 || hue > 100) return [1, 1, 1];
  const kept = (clamp(hue, 44, 60) * Math.PI) / 180;
  lab.a[0] = chroma * Math.cos(kept);
  lab.b[0] = chroma * Math.sin(kept);
  const wanted = fromLab(lab).planes;
  return skin.map((value, c) => {
    const gamma = Math.log(clamp(wanted[c]![0]!, 0.05, 0.95)) / Math.log(clamp(value, 0.05, 0.95));
    return mix(1, clamp(gamma, 0.82, 1.22), 0.75);
  });
}

/** The mean colour where the weight is above a half, after `spread`. */
function meanColor(picture: Picture, weight: Float32Array, spread: (value: number) => number): Rgb {
  const sums: [number, number, number] = [0, 0, 0];
  let total = 1e-6;
  for (let i = 0; i < weight.length; i += 5) {
    if (weight[i]! < 0.5) continue;
    for (let c = 0; c < 3; c++) sums[c]! += picture.planes[c]![i]!;
    total++;
  }
  return [spread(sums[0] / total), spread(sums[1] / total), spread(sums[2] / total)];
}
