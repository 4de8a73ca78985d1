export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

export function clamp01(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

export function mix(a: number, b: number, amount: number): number {
  return a + (b - a) * amount;
}

/** 0 below `from`, 1 above `to`, smooth between; `from` may be the larger. */
export function smoothstep(from: number, to: number, value: number): number {
  // One over the width is known beforehand wherever both ends are.
  const t = clamp((value - from) * (1 / (to - from)), 0, 1);
  return t * t * (3 - 2 * t);
}
