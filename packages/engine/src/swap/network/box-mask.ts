import { clamp } from '../../pixels/scalar.ts';

/** A square of ones that fades at its border, so that the square itself cannot be seen when it is pasted back. */
export function boxMask(side: number, blur = 0.3): Float32Array {
  const reach = Math.floor(side * 0.5 * blur);
  const border = Math.max(reach >> 1, 1);
  const profile = blurProfile(
    Float32Array.from({ length: side }, (_, i) => (i < border || i >= side - border ? 0 : 1)),
    reach / 4,
  );
  return Float32Array.from(
    { length: side * side },
    (_, i) => profile[i % side]! * profile[Math.floor(i / side)]!,
  );
}

/** The square is the product of its two profiles, and so is its Gaussian blur. */
function blurProfile(profile: Float32Array, sigma: number): Float32Array {
  if (sigma <= 0) return profile;
  const reach = Math.ceil(3 * sigma);
  return profile.map((_, i) => {
    let sum = 0;
    let total = 0;
    for (let k = -reach; k <= reach; k++) {
      const weight = Math.exp(-(k * k) / (2 * sigma * sigma));
      sum += weight * profile[clamp(i + k, 0, profile.length - 1)]!;
      total += weight;
    }
    return sum / total;
  });
}
