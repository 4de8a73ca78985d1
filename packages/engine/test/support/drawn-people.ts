import type { Face } from '../../src/faces/face.ts';
import { faceOval } from '../../src/faces/face-outline.ts';
import type { Picture } from '../../src/pixels/picture.ts';

export type Colour = readonly [number, number, number];

export function paint(width: number, height: number, colourAt: (x: number, y: number) => Colour): Picture {
  const size = width * height;
  const planes: Picture['planes'] = [new Float32Array(size), new Float32Array(size), new Float32Array(size)];
  for (let i = 0; i < size; i++) {
    const colour = colourAt(i % width, Math.floor(i / width));
    for (let c = 0; c < 3; c++) planes[c]![i] = colour[c]!;
  }
  return { width, height, planes };
}

/** A round face of this height, with its outline, top, chin and irises in place. */
export function faceAt(x: number, y: number, height: number): Face {
  const points = new Float32Array(478 * 3);
  faceOval.forEach((point, i) => {
    const angle = (2 * Math.PI * i) / faceOval.length - Math.PI / 2;
    points.set([x + (height / 2) * Math.cos(angle), y + (height / 2) * Math.sin(angle), 0], point * 3);
  });
  for (const [first, side] of [
    [468, -1],
    [473, 1],
  ] as const) {
    const [ex, ey, r] = [x + side * 0.2 * height, y - 0.1 * height, 0.04 * height];
    const ring = [
      [0, 0],
      [r, 0],
      [0, -r],
      [-r, 0],
      [0, r],
    ] as const;
    for (const [k, [dx, dy]] of ring.entries()) points.set([ex + dx, ey + dy, 0], (first + k) * 3);
  }
  return {
    points,
    center: { x, y },
    height,
    width: height,
    roll: 0,
    yaw: 0,
    pitch: 0,
    score: 1,
    ageGroup: 'adult',
    gender: 'female',
  };
}
