import type { Size } from '../../pixels/plane.ts';
import { smoothstep } from '../../pixels/scalar.ts';
import { ease } from '../camera.ts';
import { changeLight } from '../effects/light.ts';
import { type Frame, framesPerSecond, sharedFrame } from '../frame.ts';
import {
  coverOf,
  type Lattice,
  type Layer,
  latticeOver,
  paintBehind,
  paintOver,
} from '../layers/layer-warp.ts';
import type { Motion } from '../motion-words.ts';
import { createParticlePainter } from '../particles/particle-painter.ts';
import type { ParticleSpace } from '../particles/particle-space.ts';
import type { Renderer } from '../render-thread.ts';
import { type Affine, inverseOf, samplePlane } from './field.ts';
import { applyAffine } from './head-field.ts';
import { leakColour, leakOver } from './leak.ts';
import { kindsOf, mixFrames, tintFrame } from './mix.ts';
import { beforeZoom, type FrameMotion, type FrameMotions, type Passage, partOf } from './passage.ts';

/** Everything that the frames between two others are made of. */
export interface BetweenStage {
  size: Size;
  frames: number;
  first: Layer;
  last: Layer;
  /** The same in two layers, when their people go another way than what is behind them. */
  apart: { first: ApartFrame; last: ApartFrame } | null;
  passage: Passage;
  seed: number;
  /** Particles: the strength of each effect by its name. */
  particles: Motion['effects'];
  particleSpace: ParticleSpace;
  /** Of a band of light that goes across. */
  sweep: number;
}

export interface ApartFrame {
  people: Layer;
  ground: Layer;
}

/** Pixels between the nodes that the warp and the blend are worked out at. */
const step = 8;
/** Rounds of looking where a pixel came from; the rest of the way bends little, so that few are enough. */
const rounds = 4;
/** Within this share of the frame's width a frame fades out towards its border. */
const border = 0.06;

/** Paints the frames between the first and the last. Pure: any thread may paint any frame. */
export function rendererOf(data: unknown): Renderer {
  const stage = data as BetweenStage;
  const { size, frames, first, last, apart, passage } = stage;
  const one = latticeOver(size, step);
  const other = latticeOver(size, step);
  const [oneSeen, otherSeen] = [sightOver(one), sightOver(other)];
  const weights = new Float32Array(one.x.length);
  const cells = (one.columns - 1) * (one.rows - 1);
  const [kinds, turned] = [new Uint8Array(cells), new Uint8Array(cells)];
  const scratch = sharedFrame(size);
  const covers = apart && { first: coverOf(apart.first.people), last: coverOf(apart.last.people) };
  const paintParticles = createParticlePainter(stage.particles, stage.particleSpace, stage.seed);
  const follow = (ways: FrameMotions, phase: number, view: Affine, whole: boolean) => {
    traceBack(one, oneSeen, { way: ways.there, share: phase, view, size });
    traceBack(other, otherSeen, { way: ways.back, share: 1 - phase, view, size });
    weigh(weights, [oneSeen, otherSeen], phase, { passage, whole });
    kindsOf(one, weights, kinds, turned);
  };
  return (index, frame) => {
    const time = index / (frames - 1);
    const phase = ease(time);
    const view = beforeZoom(passage.zoom, phase);
    // The first and the last frame are the photos themselves.
    const layered = phase > 0 && phase < 1 ? apart : null;
    follow(passage.ground, phase, view, true);
    paintBehind(layered?.first.ground ?? first, one, frame, kinds);
    paintBehind(layered?.last.ground ?? last, other, scratch, turned);
    mixFrames(frame, scratch, one, weights, kinds);
    if (layered) {
      follow(passage.people!, phase, view, false);
      copyFrame(frame, scratch);
      covers!.first(layered.first.people, one, turned);
      paintOver(layered.first.people, one, frame, turned);
      covers!.last(layered.last.people, other, turned);
      paintOver(layered.last.people, other, scratch, turned);
      mixFrames(frame, scratch, one, weights, kinds);
    }
    if (passage.leak > 0 && leakOver(one, size, time, passage.leak, weights)) {
      kindsOf(one, weights, kinds, turned);
      tintFrame(frame, leakColour, one, weights, kinds);
    }
    changeLight(frame, index, { ambient: 0, sweep: stage.sweep, frames });
    if (!paintParticles) return;
    // It comes by itself, and is gone again in the last frame.
    const share = smoothstep(0, particlesFade, (frames - 1 - index) / framesPerSecond);
    copyFrame(frame, scratch);
    paintParticles(scratch, index, atRest, false);
    paintParticles(scratch, index, atRest, true);
    weights.fill(share);
    kindsOf(one, weights, kinds, turned);
    mixFrames(frame, scratch, one, weights, kinds);
  };
}

/** Seconds before the end in which particles thin out. */
const particlesFade = 1;
const atRest = { zoom: 1, dolly: 0, panX: 0, panY: 0, stepX: 0, stepY: 0, roll: 0 };

function copyFrame(from: Frame, to: Frame): void {
  to.y.set(from.y);
  to.u.set(from.u);
  to.v.set(from.v);
}

/** What a frame has to say at each node: whether it reaches there, and how far it can be trusted. */
interface Sight {
  reach: Float32Array;
  trust: Float32Array;
}

function sightOver({ x }: Lattice): Sight {
  return { reach: new Float32Array(x.length), trust: new Float32Array(x.length) };
}

interface Trace {
  way: FrameMotion;
  /** How much of the way is done. */
  share: number;
  view: Affine;
  size: Size;
}

/** For every node, the point of a frame that has come there when this share of its way is done. */
function traceBack(lattice: Lattice, { reach, trust }: Sight, { way, share, view, size }: Trace): void {
  const { rest } = way;
  const source = inverseOf(partOf(way.map, share));
  const [a, b, , d, e] = source;
  const perX = rest.width / size.width;
  const perY = rest.height / size.height;
  // A frame that has not set out reaches to its very border.
  const fade = border * size.width * Math.min(1, 6 * share) + 0.01;
  for (let row = 0, n = 0; row < lattice.rows; row++) {
    for (let column = 0; column < lattice.columns; column++, n++) {
      const [u, v] = applyAffine(view, column * lattice.step, row * lattice.step);
      const [x0, y0] = applyAffine(source, u, v);
      let x = x0;
      let y = y0;
      for (let round = 0; round < rounds && share > 0; round++) {
        const gx = x * perX - 0.5;
        const gy = y * perY - 0.5;
        const dx = share * samplePlane(rest.x, rest.width, rest.height, gx, gy);
        const dy = share * samplePlane(rest.y, rest.width, rest.height, gx, gy);
        x = x0 - a * dx - b * dy;
        y = y0 - d * dx - e * dy;
      }
      lattice.x[n] = x;
      lattice.y[n] = y;
      const inside = (Math.min(x, y, size.width - x, size.height - y) + 1) / fade;
      const gx = x * perX - 0.5;
      const gy = y * perY - 0.5;
      const open = way.open ? samplePlane(way.open, rest.width, rest.height, gx, gy) : 1;
      reach[n] = open * (inside < 0 ? 0 : inside > 1 ? 1 : inside);
      trust[n] = samplePlane(way.trust, rest.width, rest.height, gx, gy);
    }
  }
}

/**
 * How much of the last frame is seen at each node. Where the frames agree they are blended slowly, which nobody sees;
 * where they do not, quickly, so that double images are short. Where only one of them reaches, it is seen alone:
 * `whole` says that the frames have borders, which cut-out people have not.
 */
function weigh(
  weights: Float32Array,
  [one, other]: readonly [Sight, Sight],
  phase: number,
  { passage, whole }: { passage: Passage; whole: boolean },
): void {
  const { agreed, doubted } = passage.blend;
  if (phase <= 0 || phase >= 1) {
    weights.fill(phase);
    return;
  }
  for (let n = 0; n < weights.length; n++) {
    const trust = Math.min(one.trust[n]!, other.trust[n]!);
    const width = doubted + (agreed - doubted) * trust;
    const done = (phase - 0.5) / width + 0.5;
    const blend = done <= 0 ? 0 : done >= 1 ? 1 : done * done * (3 - 2 * done);
    const before = (1 - blend) * (0.1 + one.trust[n]!);
    const after = blend * (0.1 + other.trust[n]!);
    const free = after / (before + after);
    const [first, last] = whole ? [one.reach[n]!, other.reach[n]!] : [1, 1];
    weights[n] = 1 - (1 - free * (1 - first * (1 - last))) * (1 - last * (1 - first));
  }
}
