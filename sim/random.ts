/** Random numbers that are the same for the same seed, in every run and on every machine. */
export interface Random {
  /** At least 0 and below 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  between(least: number, most: number): number;
  chance(share: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** Numbers of their own for a part of the simulation: how many it takes changes nothing elsewhere. */
  fork(name: string): Random;
  fill(bytes: Uint8Array): void;
}

export function createRandom(seed: string): Random {
  const next = sfc32(hashText(seed));
  const random: Random = {
    next,
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    between: (least, most) => least + next() * (most - least),
    chance: (share) => next() < share,
    pick: (choices) => choices[Math.floor(next() * choices.length)]!,
    fork: (name) => createRandom(`${seed}/${name}`),
    fill(bytes) {
      for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(next() * 256);
    },
  };
  return random;
}

/** Four numbers of 32 bits made of a text (cyrb128). */
function hashText(text: string): [number, number, number, number] {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = b ^ Math.imul(a ^ code, 597399067);
    b = c ^ Math.imul(b ^ code, 2869860233);
    c = d ^ Math.imul(c ^ code, 951274213);
    d = a ^ Math.imul(d ^ code, 2716044179);
  }
  return [a ^ b ^ c ^ d, b ^ a, c ^ a, d ^ a];
}

/** A small fast counting generator: PractRand finds nothing in it for terabytes. */
function sfc32([first, second, third, fourth]: [number, number, number, number]): () => number {
  let [a, b, c, d] = [first | 0, second | 0, third | 0, fourth | 0];
  const next = () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
  for (let round = 0; round < 15; round++) next();
  return next;
}
