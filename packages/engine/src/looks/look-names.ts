/** The names that filters and prompts call looks by. Apart from the looks, so that a server need not load those. */
export const lookNames = [
  'ink',
  'comic',
  'watercolour',
  'oil',
  'pop-art',
  'halftone',
  'pencil',
  'stained-glass',
  'low-poly',
  'woodcut',
  'neon',
  'pastel',
  'mosaic',
  'duotone',
  'blueprint',
] as const;
export type LookName = (typeof lookNames)[number];

export function isLookName(name: string): name is LookName {
  return (lookNames as readonly string[]).includes(name);
}
