import { smoothstep } from '../../pixels/scalar.ts';
import type { View } from '../camera.ts';
import { type Frame, framesPerSecond } from '../frame.ts';
import { paintBalloon, paintBubble } from './paint-round.ts';
import { paintSheet, type SeenSheet } from './paint-sheet.ts';
import { type Colour, litColour } from './particle-colours.ts';
import { type ParticleKind, particleKinds } from './particle-kinds.ts';
import { motionAfter, type Particle, rocking, type Sheet, tumbling, within } from './particle-motion.ts';
import { defocus, type ParticlePainter, type ParticleSpace, seenFrom } from './particle-space.ts';
import { strokeFrame } from './soft-brush.ts';

/** Seconds that the shutter is open: at half of a frame, as in films, pieces as small as confetti are streaks. */
const shutter = 0.2 / framesPerSecond;

/** Seconds that something takes at least to cross the frame: a close-up shows it in slow motion. */
const quickest = 2.2;

/** The most of a frame's height that one thing may be high. */
const largest = 0.24;

/** Nearer than this, in people's distances, pieces are large and blurred, and keep further away from faces. */
const blurredFrom = 0.8;

/** Paints particles that have a shape and a path of their own; null when the effects name none. */
export function createShapedParticlePainter(
  effects: Partial<Record<string, number>>,
  space: ParticleSpace,
  randomOf: (name: string) => () => number,
): ParticlePainter | null {
  const particles = Object.entries(effects).flatMap(([name, strength]) => {
    const kind = particleKinds[name];
    if (!kind || !strength) return [];
    const tempo = tempoOf(kind, space);
    const count = Math.round(kind.rate * strength * tempo * space.seconds);
    const random = randomOf(name);
    return Array.from({ length: count }, () => ({
      kind,
      tempo,
      particle: createParticle(kind, space, random),
    }));
  });
  if (particles.length === 0) return null;
  // What is nearer covers what is further away.
  particles.sort((a, b) => b.particle.depth - a.particle.depth);
  return (frame, index, view, before) => {
    const seconds = index / framesPerSecond;
    for (const { kind, tempo, particle } of particles) {
      if (particle.depth < 1 !== before) continue;
      const age = (seconds - particle.birth) * tempo;
      if (age > 0 && age < particle.life) drawParticle(frame, { kind, particle, age, tempo }, space, view);
    }
  };
}

/** Its own seconds for one of the clip. */
function tempoOf(kind: ParticleKind, space: ParticleSpace): number {
  const speed = Math.abs(kind.fall[0] + kind.fall[1]) / 2;
  const depth = Math.max(1, leastDepth(kind.length[0], space));
  return Math.min(1, (depth * space.size.height) / (speed * space.metre) / quickest);
}

/** Nearer, something of this length would be too large. */
function leastDepth(length: number, { size, metre }: ParticleSpace): number {
  return (length * metre) / (largest * size.height);
}

function createParticle(kind: ParticleKind, space: ParticleSpace, random: () => number): Particle {
  const { size, metre, seconds, faces } = space;
  const length = within(kind.length, random());
  const least = Math.max(kind.depth[0], leastDepth(length, space));
  const most = Math.max(kind.depth[1], 1.6 * least);
  const x = size.width * (1.3 * random() - 0.15);
  const drawn = least + (most - least) * random();
  const room = (length * metre) / drawn;
  const wide = kind.shape === 'balloon' || drawn < blurredFrom ? 0.7 : 0.45;
  const overFace = drawn < 1 && faces.some((face) => Math.abs(x - face.x) < wide * face.height + room);
  // What would pass in front of a face passes behind people instead.
  const depth = overFace ? 1 + (most - 1) * ((drawn - least) / (1 - least)) : drawn;
  // Beyond the border by as much as a camera that tilts may come to show.
  const beyond = 0.1 * size.height + room;
  // Nothing is blown beyond the frame of a close-up.
  const height = (size.height * depth) / metre;
  const blown = Math.abs(kind.launch.down[0]) * kind.response;
  const gentle = kind.from === 'below' ? Math.min(1, height / blown) : 1;
  const share = random();
  const y = { above: -beyond, below: size.height + beyond, anywhere: size.height * (1.2 * share - 0.05) };
  return {
    birth: seconds * random(),
    life: within(kind.life, random()),
    x,
    y: y[kind.from],
    depth,
    length,
    breadth: within(kind.breadth, random()),
    aside: gentle * kind.launch.aside * (2 * random() - 1),
    down: gentle * within(kind.launch.down, random()),
    fall: within(kind.fall, random()),
    response: kind.response,
    sway: within(kind.sway, random()),
    swayRate: 2 * Math.PI * within(kind.swayRate, random()),
    spin: 2 * Math.PI * within(kind.spin, random()) * (random() < 0.5 ? -1 : 1),
    phase: random(),
    colour: Math.floor(random() * kind.colours.length),
  };
}

interface AgedParticle {
  kind: ParticleKind;
  particle: Particle;
  /** In its own seconds. */
  age: number;
  /** Its own seconds for one of the clip. */
  tempo: number;
}

function drawParticle(
  frame: Frame,
  { kind, particle, age, tempo }: AgedParticle,
  space: ParticleSpace,
  view: View,
): void {
  const { depth, length } = particle;
  const state = motionAfter(particle, age);
  const rest = space.metre / depth;
  const { x, y, scale } = seenFrom(
    view,
    space,
    depth,
    particle.x + rest * state.x,
    particle.y + rest * state.y,
  );
  const metre = rest * scale;
  const blur = scale * defocus(space, depth);
  const reach = 4 * length * metre + blur + 4;
  if (x < -reach || x > frame.width + reach || y < -reach || y > frame.height + reach) return;
  const way = shutter * tempo * metre;
  const motion = [state.speedX * way, state.speedY * way] as const;
  const seen: SeenParticle = { x, y, metre, blur, motion, age };
  painters[kind.shape](frame, particle, seen, { sides: kind.colours[particle.colour]!, space });
}

/** A particle as it is seen; `metre` in pixels. */
interface SeenParticle {
  x: number;
  y: number;
  metre: number;
  blur: number;
  motion: readonly [number, number];
  age: number;
}

interface Appearance {
  sides: readonly [front: Colour, back: Colour];
  space: ParticleSpace;
}

type ShapePainter = (frame: Frame, particle: Particle, seen: SeenParticle, appearance: Appearance) => void;

const painters: Record<ParticleKind['shape'], ShapePainter> = {
  paper(frame, particle, seen, appearance) {
    const outline = (10 * particle.phase) % 1 < 0.2 ? 'disc' : 'rectangle';
    paintFlat(frame, { outline, opacity: 1 }, tumbling(particle, seen.age), [particle, seen, appearance]);
  },
  petal(frame, particle, seen, appearance) {
    paintFlat(frame, { outline: 'petal', opacity: 0.94 }, rocking(particle, seen.age), [
      particle,
      seen,
      appearance,
    ]);
  },
  leaf(frame, particle, seen, appearance) {
    paintFlat(frame, { outline: 'leaf', opacity: 1 }, rocking(particle, seen.age), [
      particle,
      seen,
      appearance,
    ]);
  },
  bubble(frame, particle, { x, y, metre, blur, age }, { space }) {
    const ball = { x, y, radius: 0.5 * particle.length * metre, blur, phase: phaseAt(particle, age) };
    paintBubble(frame, ball, space.light);
  },
  balloon(frame, particle, { x, y, metre, blur, age }, { sides, space }) {
    const ball = { x, y, radius: 0.5 * particle.length * metre, blur, phase: phaseAt(particle, age) };
    paintBalloon(frame, ball, sides[0], space.light);
  },
  // Flares up, then cools: from white-hot to red.
  spark(frame, particle, seen, { sides }) {
    const age = seen.age / particle.life;
    const flicker = 0.8 + 0.2 * Math.sin(2 * Math.PI * particle.phase + particle.spin * seen.age);
    const glow = smoothstep(0, 0.08, age) * (1 - age) ** 0.7 * flicker;
    const cooled = smoothstep(0.1, 0.7, age);
    const hot = sides[0].map((value, c) => value + (sides[1][c]! - value) * cooled) as [
      number,
      number,
      number,
    ];
    paintGlow(frame, seen, 0.5 * particle.length * seen.metre, {
      glow,
      halo: 4,
      core: hot,
      colour: sides[1],
    });
  },
  firefly(frame, particle, seen, { sides }) {
    const glow = Math.sin((Math.PI * seen.age) / particle.life) ** 1.5;
    paintGlow(frame, seen, 0.5 * particle.length * seen.metre, {
      glow,
      halo: 8,
      core: sides[0],
      colour: sides[1],
    });
  },
};

const phaseAt = ({ phase, spin }: Particle, age: number) => phase + (spin * age) / (2 * Math.PI);

/** How much the middle of a bent sheet differs in direction from its ends. */
const bend = 0.4;

function paintFlat(
  frame: Frame,
  seenAs: Pick<SeenSheet, 'outline' | 'opacity'>,
  { along, across, front }: Sheet,
  [particle, { x, y, metre, blur, motion }, { sides, space }]: readonly [Particle, SeenParticle, Appearance],
): void {
  const half = 0.5 * particle.length * metre;
  const broad = half * particle.breadth;
  const facing = front[2] < 0 ? -1 : 1;
  const colour = sides[facing > 0 ? 0 : 1];
  const shadeAt = (bent: number) => {
    const normal = front.map((value, c) => facing * value + bent * across[c]!) as [number, number, number];
    return litColour(colour, shadeOf(normal, space), space.light);
  };
  paintSheet(frame, {
    ...seenAs,
    x,
    y,
    along: [along[0] * half, along[1] * half],
    across: [across[0] * broad, across[1] * broad],
    blur,
    motion,
    colours: [shadeAt(-bend), shadeAt(bend)],
  });
}

/** Light from the lamp, from all around, and through the sheet; smooth paper shines where it mirrors the lamp. */
function shadeOf([x, y, z]: readonly [number, number, number], { light }: ParticleSpace): number {
  const length = Math.hypot(x, y, z);
  const [lx, ly, lz] = light.from;
  const towards = (x * lx + y * ly + z * lz) / length;
  const mirror = (x * lx + y * ly + z * (lz + 1)) / (length * Math.hypot(lx, ly, lz + 1));
  return 0.55 + 0.45 * Math.max(0, towards) + 0.18 * Math.max(0, -towards) + 0.4 * Math.max(0, mirror) ** 18;
}

interface Glow {
  /** 0 dark, 1 bright. */
  glow: number;
  /** How much wider its shine is than itself. */
  halo: number;
  core: Colour;
  colour: Colour;
}

function paintGlow(frame: Frame, seen: SeenParticle, size: number, { glow, halo, core, colour }: Glow): void {
  if (glow < 0.02) return;
  const { x, y, blur } = seen;
  const [dx, dy] = seen.motion;
  const radius = Math.max(0.9, size) + blur;
  // Light that is spread over more is less bright, but eyes and sensors saturate.
  const spread = Math.sqrt(Math.max(0.9, size) / radius);
  const brush = { x, y, dx, dy, hard: 0 };
  strokeFrame(
    frame,
    { ...brush, radius: halo * Math.max(1.2, size) + blur, opacity: 0.42 * glow * spread },
    colour,
  );
  strokeFrame(frame, { ...brush, radius: radius + 0.4, hard: 0.35, opacity: 0.95 * glow * spread }, core);
}
