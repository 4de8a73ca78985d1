import { type Colour, colourOf } from './particle-colours.ts';

/** Least and most. */
export type Range = readonly [number, number];

/** Particles with a shape and a path of their own. Lengths are in metres, speeds in metres a second. */
export interface ParticleKind {
  shape: 'paper' | 'petal' | 'leaf' | 'bubble' | 'balloon' | 'spark' | 'firefly';
  /** How many come each second. */
  rate: number;
  /** Where they come from; what is born anywhere lights up there and goes out again. */
  from: 'above' | 'below' | 'anywhere';
  length: Range;
  /** As a share of the length. */
  breadth: Range;
  /** As a multiple of people's distance. */
  depth: Range;
  /** The speed downwards at which drag and weight are even; what is lighter than air has a negative one. */
  fall: Range;
  /** The speed with which it comes into the frame, downwards and at most to each side. */
  launch: { down: Range; aside: number };
  /** Seconds in which drag takes away most of the difference between the two. */
  response: number;
  /** To and fro: how far, and how many times a second. */
  sway: Range;
  swayRate: Range;
  /** Rotations a second. */
  spin: Range;
  /** Seconds from lighting up to going out. */
  life: Range;
  /** The two sides of each. */
  colours: readonly (readonly [front: Colour, back: Colour])[];
}

const sides = (front: string, back: string) => [colourOf(front), colourOf(back)] as const;
const paper = (hex: string) => sides(hex, hex);
/** Longer than any clip. */
const forever: Range = [600, 600];

const petals: ParticleKind = {
  shape: 'petal',
  rate: 130,
  from: 'above',
  length: [0.02, 0.034],
  breadth: [0.7, 0.95],
  depth: [0.4, 2.2],
  fall: [0.42, 0.7],
  launch: { down: [0.6, 0.9], aside: 0.1 },
  response: 0.2,
  sway: [0.04, 0.11],
  swayRate: [0.5, 0.9],
  spin: [0.15, 0.5],
  life: forever,
  colours: [
    sides('#f6c9d4', '#f9dde3'),
    sides('#f2b3c3', '#f6d0d9'),
    sides('#fbe3e8', '#fceef0'),
    sides('#eea3b8', '#f4c6d2'),
  ],
};

export const particleKinds: Readonly<Record<string, ParticleKind>> = {
  confetti: {
    shape: 'paper',
    rate: 330,
    from: 'above',
    length: [0.016, 0.034],
    breadth: [0.4, 0.9],
    depth: [0.38, 2.2],
    fall: [0.8, 1.35],
    launch: { down: [1.4, 2.4], aside: 0.5 },
    response: 0.18,
    sway: [0.015, 0.05],
    swayRate: [0.8, 1.7],
    spin: [1.1, 3.2],
    life: forever,
    colours: [
      paper('#e0304a'),
      paper('#f2a51e'),
      paper('#f7d838'),
      paper('#2fa866'),
      paper('#2b7fd4'),
      paper('#8a4fc0'),
      paper('#ee6aa6'),
      sides('#f0cf7a', '#d8b25a'),
      sides('#f2f2f2', '#d9dde2'),
    ],
  },
  petals,
  'rose petals': {
    ...petals,
    rate: 50,
    length: [0.034, 0.052],
    breadth: [0.8, 1],
    fall: [0.55, 0.85],
    colours: [sides('#b3122e', '#8e1026'), sides('#c81f3c', '#a3142f'), sides('#9c0f28', '#7c0d20')],
  },
  leaves: {
    ...petals,
    shape: 'leaf',
    rate: 60,
    length: [0.045, 0.085],
    breadth: [0.5, 0.7],
    fall: [0.6, 1],
    sway: [0.08, 0.2],
    swayRate: [0.45, 0.7],
    spin: [0.2, 0.7],
    colours: [
      sides('#c8741e', '#d99a4e'),
      sides('#b5451b', '#c77545'),
      sides('#d8a428', '#e0bd62'),
      sides('#8f5a22', '#a97f4c'),
      sides('#a02c1c', '#b8604a'),
    ],
  },
  bubbles: {
    shape: 'bubble',
    rate: 13,
    from: 'below',
    length: [0.018, 0.075],
    breadth: [1, 1],
    depth: [0.5, 2],
    fall: [-0.2, -0.05],
    launch: { down: [-2.1, -0.9], aside: 0.5 },
    response: 0.55,
    sway: [0.015, 0.05],
    swayRate: [0.2, 0.4],
    spin: [0.1, 0.3],
    life: forever,
    colours: [paper('#ffffff')],
  },
  balloons: {
    shape: 'balloon',
    rate: 5,
    from: 'below',
    length: [0.25, 0.31],
    breadth: [1, 1],
    depth: [0.72, 2.6],
    fall: [-1, -0.7],
    launch: { down: [-1.6, -1.1], aside: 0 },
    response: 0.8,
    sway: [0.02, 0.06],
    swayRate: [0.2, 0.35],
    spin: [0.1, 0.2],
    life: forever,
    colours: [
      paper('#d92b3f'),
      paper('#f0b429'),
      paper('#2f86d6'),
      paper('#e8709f'),
      paper('#36a873'),
      paper('#f4efe6'),
    ],
  },
  sparks: {
    shape: 'spark',
    rate: 120,
    from: 'anywhere',
    length: [0.004, 0.008],
    breadth: [1, 1],
    depth: [0.4, 2.2],
    fall: [-0.5, -0.15],
    launch: { down: [-0.9, -0.3], aside: 0.3 },
    response: 0.5,
    sway: [0.02, 0.07],
    swayRate: [0.4, 1],
    spin: [2, 6],
    life: [0.9, 2.2],
    colours: [sides('#ffe2a0', '#ff8a2a'), sides('#ffd27a', '#ff6a1c'), sides('#fff0c8', '#ffae4a')],
  },
  fireflies: {
    shape: 'firefly',
    rate: 34,
    from: 'anywhere',
    length: [0.009, 0.014],
    breadth: [1, 1],
    depth: [0.5, 2.4],
    fall: [-0.08, 0.06],
    launch: { down: [-0.12, 0.08], aside: 0.16 },
    response: 4,
    sway: [0.03, 0.1],
    swayRate: [0.15, 0.4],
    spin: [0.4, 0.8],
    life: [1.3, 2.6],
    colours: [sides('#f4ffb0', '#c8e84a'), sides('#fbf7a8', '#e2d83e')],
  },
};
