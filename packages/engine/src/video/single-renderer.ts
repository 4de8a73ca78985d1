import { type CameraPlan, type Homography, type View, viewAt, wayBack } from './camera.ts';
import { blinkAt, putEye, takeEye } from './effects/blink.ts';
import { displaceByIdleMotion, idleStateAt } from './effects/idle-motion.ts';
import { changeLight } from './effects/light.ts';
import { framesPerSecond } from './frame.ts';
import { readDisplacement } from './gestures/face-displacement.ts';
import { amountAt } from './gestures/gesture-course.ts';
import { coverOf, type Lattice, latticeOver, paintBehind, paintOver } from './layers/layer-warp.ts';
import { type PeopleLayer, reliefAt, type Stage } from './layers/stage.ts';
import { createParticlePainter } from './particles/particle-painter.ts';
import type { Renderer } from './render-thread.ts';

/** Paints the frames of a single frame video. Pure: any thread may paint any frame. */
export function rendererOf(data: unknown): Renderer {
  const stage = data as Stage;
  const { size, camera, back, room, light, step } = stage;
  const people = stage.people && withOwnPlanes(stage.people);
  const blink = people && blinker(people, stage.frames);
  const backLattice = latticeOver(size, step);
  const peopleLattice = latticeOver(size, step);
  const cover = new Uint8Array((backLattice.columns - 1) * (backLattice.rows - 1));
  const findCover = people && coverOf(people.layer);
  const paintParticles = createParticlePainter(stage.particles, stage.particleSpace, stage.seed);
  return (index, frame) => {
    const view = viewAt(camera, index);
    layPlane(backLattice, wayBack(view, camera, room, size));
    if (people) {
      layPlane(peopleLattice, wayBack(view, camera, people.plane, size));
      animate(peopleLattice, people, view, camera, index);
      gesture(peopleLattice, people, index, stage.frames);
      findCover!(people.layer, peopleLattice, cover);
    }
    paintBehind(back, backLattice, frame, people && cover);
    paintParticles?.(frame, index, view, false);
    blink?.(index);
    if (people) paintOver(people.layer, peopleLattice, frame, cover);
    changeLight(frame, index, light);
    paintParticles?.(frame, index, view, true);
  };
}

/** Threads blink at their own frames: the planes that change are not shared. */
function withOwnPlanes(people: PeopleLayer): PeopleLayer {
  if (people.eyes.length === 0) return people;
  const { planes } = people.layer;
  const own = { ...planes, y: planes.y.slice(), u: planes.u.slice(), v: planes.v.slice() };
  return { ...people, layer: { ...people.layer, planes: own } };
}

function blinker({ layer, eyes, idleMotion }: PeopleLayer, frames: number): (index: number) => void {
  const open = eyes.map((eye) => takeEye(layer.planes, eye));
  const shown = eyes.map(() => -1);
  return (index) => {
    for (const [i, eye] of eyes.entries()) {
      const at = blinkAt(idleMotion.people[eye.person]!, index, frames);
      if (shown[i] === at) continue;
      putEye(eye.closing[at] ?? open[i]!, eye, layer.planes);
      shown[i] = at;
    }
  };
}

export function layPlane(
  { step, columns, rows, x, y }: Lattice,
  [a, b, c, d, e, f, g, h, i]: Homography,
): void {
  for (let row = 0, n = 0; row < rows; row++) {
    const v = row * step;
    for (let column = 0; column < columns; column++, n++) {
      const u = column * step;
      const share = 1 / (g * u + h * v + i);
      x[n] = (a * u + b * v + c) * share;
      y[n] = (d * u + e * v + f) * share;
    }
  }
}

/** Adds to the plane that people stand in what makes them bodies: relief, and movement of their own. */
function animate(
  { x, y, step }: Lattice,
  { layer, relief, idleMotion }: PeopleLayer,
  view: View,
  camera: CameraPlan,
  index: number,
): void {
  const state = idleStateAt(idleMotion, index);
  const moved = new Float32Array(2);
  // Nodes further off than anybody moves show nobody.
  const margin = 4 * step;
  const { planes, density } = layer;
  const [left, top] = [-layer.left - margin, -layer.top - margin];
  const right = left + planes.width / density + 2 * margin;
  const bottom = top + planes.height / density + 2 * margin;
  for (let n = 0; n < x.length; n++) {
    if (x[n]! < left || x[n]! > right || y[n]! < top || y[n]! > bottom) continue;
    const near = reliefAt(relief, x[n]!, y[n]!);
    const u = x[n]! - near * (view.stepX + view.dolly * (x[n]! - camera.focus.x));
    const v = y[n]! - near * (view.stepY + view.dolly * (y[n]! - camera.focus.y));
    displaceByIdleMotion(idleMotion, state, u, v, moved);
    // What is nearer goes further when a head changes its yaw.
    moved[0] = moved[0]! + idleMotion.yaw * state.yaw * (near - 0.14);
    x[n] = u - moved[0]!;
    y[n] = v - moved[1]!;
  }
}

/** Lets faces do what the prompt asks of them. A place shows what has come to it: looked for where that came from. */
function gesture({ x, y }: Lattice, { gestures }: PeopleLayer, index: number, frames: number): void {
  const way = new Float32Array(2);
  for (const { motion, displacement, delay } of gestures.faces) {
    const amount = amountAt(motion, index / framesPerSecond, frames / framesPerSecond, delay);
    if (amount === 0) continue;
    for (let n = 0; n < x.length; n++) {
      if (!readDisplacement(displacement, x[n]!, y[n]!, way)) continue;
      if (readDisplacement(displacement, x[n]! - amount * way[0]!, y[n]! - amount * way[1]!, way)) {
        x[n] = x[n]! - amount * way[0]!;
        y[n] = y[n]! - amount * way[1]!;
      }
    }
  }
}
