/** Uniform numbers in 0..1 that the same seed always gives again (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The numbers from 0 to `count` − 1 in random order (Fisher-Yates). */
export function shuffledNumbers(count: number, random: () => number): Int32Array {
  const numbers = Int32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = (random() * (i + 1)) | 0;
    const kept = numbers[i]!;
    numbers[i] = numbers[j]!;
    numbers[j] = kept;
  }
  return numbers;
}
