/** A word of a prompt: as written, and as compared. */
export interface Word {
  text: string;
  stem: string;
  /** Stands after "no", "without" and the like. */
  negated: boolean;
  /** Asks for nothing of its own: "the", "picture", "please". */
  filler: boolean;
  /** Which part of the prompt it stands in, as commas and stops part it. */
  clause: number;
}

const negators = new Set(
  'no not without never avoid except minus dont doesnt isnt wont cannot nor exclude excluding'.split(' '),
);

/** Words that say how things stand to each other, or talk about the picture as a picture. */
const fillers = new Set(
  `a an the this that these those some any and or but so as than then also too very really quite just only please of in
  on at to into onto from by for with within inside near next beside behind before between around over above among
  through under beneath below up down out off front far away light lights lighting while when where who which it its is are be being been am was were will would should could can may might must
  have has had do does did i me my mine we us our ours you your he him his she her they them their one make makes made
  making put show let want like need get give turn look looks looking style styled styles effect filter picture pictures
  photo photos photograph image images portrait portraits selfie shot scene scenes background setting place somewhere
  wearing dressed standing sitting posing being there here nice beautiful good great cool fun awesome amazing lovely
  version feel feeling vibe vibes mood theme themed inspired instead all more less bit little lots lot much many
  everyone everybody people person someone myself ourselves guest guests color colors colour colours tone tones
  drawn painted rendered created done take taken along across amid against outside aboard toward towards during after
  way new year years`.split(/\s+/),
);

const prepositions = new Set('in on at under with by near during over inside behind through'.split(' '));

/**
 * Splits a prompt into words and marks those that are denied. A denial lasts to the next comma, stop, "but", "with"
 * or place word after something was denied: "no rain or snow, on a mountain at night" denies rain and snow only.
 */
export function readWords(prompt: string): Word[] {
  const plain = prompt.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[’'`]/g, '').toLowerCase();
  const words: Word[] = [];
  let denying = false;
  let denied = 0;
  let clause = 0;
  for (const [token] of plain.matchAll(/[\p{L}\p{N}]+|[.,;:!?()\n]/gu)) {
    if (/^[.,;:!?()\n]$/.test(token) || token === 'but' || token === 'instead') {
      denying = false;
      clause++;
      continue;
    }
    if (negators.has(token)) {
      denying = true;
      denied = 0;
      continue;
    }
    if (denied > 0 && (prepositions.has(token) || denied >= 4)) denying = false;
    const filler = fillers.has(token);
    if (denying && !filler) denied++;
    words.push({ text: token, stem: stem(token), negated: denying, filler, clause });
  }
  return words;
}

export const textOf = (words: readonly Word[]): string => words.map((word) => word.text).join(' ');

/** Brings "mountains", "glowing" and "painted" to one form with "mountain", "glow" and "paint"; no more than that. */
export function stem(word: string): string {
  let root = word;
  if (root.length > 4 && root.endsWith('ies')) root = `${root.slice(0, -3)}y`;
  else if (/(ch|sh|x|ss|z)es$/.test(root)) root = root.slice(0, -2);
  else if (root.length > 3 && /[^su]s$/.test(root) && !root.endsWith('is')) root = root.slice(0, -1);
  for (const ending of ['ing', 'ed']) {
    const rest = root.slice(0, -ending.length);
    if (root.endsWith(ending) && rest.length > 2 && /[aeiouy]/.test(rest)) {
      root = /([bdfgmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest;
      break;
    }
  }
  return root.length > 3 && root.endsWith('e') ? root.slice(0, -1) : root;
}

/** Whether two words are one slip of the keyboard apart: a letter wrong, missing, too many, or two swapped. */
export function oneSlipApart(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const leftA = a.slice(start, endA);
  const leftB = b.slice(start, endB);
  if (leftA.length <= 1 && leftB.length <= 1) return true;
  return leftA.length === 2 && leftA[0] === leftB[1] && leftA[1] === leftB[0];
}
