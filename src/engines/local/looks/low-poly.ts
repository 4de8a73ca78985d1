import type { Face, Picture } from '../picture.ts';
import { gaussian } from './blur.ts';
import { triangulate } from './delaunay.ts';
import { smoothKeepingEdges } from './guided.ts';
import { randomFrom } from './noise.ts';
import { luma, newPicture, newPlane, type Plane } from './plane.ts';
import { regionColors } from './region-colors.ts';
import { scatter } from './scatter.ts';
import type { Subject } from './subject.ts';
import { clamp, mix, unit as within } from './tone.ts';

/** Folded from flat facets: along contours everywhere, along the face's own mesh in faces. */
export function lowPoly(subject: Subject): Picture {
  const { picture, unit, width, height, face, people, seed, faces } = subject;
  const calm = smoothKeepingEdges(picture, clamp(unit * 0.02, 3, 8), 0.08);
  const edges = contourStrength(gaussian(luma(calm), clamp(unit * 0.008, 1.2, 3)));
  const ridges = contourPixels(edges, people);
  const onContour = new Uint8Array(width * height);
  for (const pixel of ridges) onContour[pixel] = 1;
  const distanceAt = (i: number) =>
    unit * (onContour[i] ? mix(0.1, 0.048, people[i]!) : mix(0.34, 0.15, people[i]!));
  const spots = scatter(width, height, unit * 0.1, distanceAt, seed, ridges);
  const points: [number, number][] = [];
  for (const person of faces) points.push(...facePoints(person, width, height));
  for (let i = 0; i < spots.count; i++) {
    const [x, y] = [spots.x[i]!, spots.y[i]!];
    if (face[(y | 0) * width + (x | 0)]! < 0.25) points.push([x, y]);
  }
  points.push(...borderPoints(width, height, unit * 0.3));
  const [x, y] = ordered(points, unit * 0.2);
  const triangles = triangulate(x, y, width, height);
  const owner = facets(triangles, x, y, width, height, 1);
  // Coloured from their middles: a facet that leans over a contour does not turn to mud.
  const middles = facets(triangles, x, y, width, height, 0.55);
  const count = triangles.length / 3;
  const colors = regionColors(calm, middles, count);
  const random = randomFrom(seed + 1);
  for (let facet = 0; facet < count; facet++) {
    const middle =
      (Math.round(mean(y, triangles, facet)) * width + Math.round(mean(x, triangles, facet))) | 0;
    const tilt = (random() - 0.5) * mix(0.13, 0.05, face[middle] ?? 0);
    const at = facet * 3;
    const grey = 0.299 * colors[at]! + 0.587 * colors[at + 1]! + 0.114 * colors[at + 2]!;
    for (let c = 0; c < 3; c++)
      colors[at + c] = within((grey + (colors[at + c]! - grey) * 1.28) * (1 + tilt));
  }
  const result = newPicture(width, height);
  for (const index of [0, 1, 2] as const) {
    const flat = newPlane(width, height);
    for (let i = 0; i < owner.length; i++) {
      flat.data[i] = owner[i]! < 0 ? picture.planes[index][i]! : colors[owner[i]! * 3 + index]!;
    }
    // Softens the stairs of the facets' edges by less than a pixel.
    result.planes[index].set(gaussian(flat, 0.55).data);
  }
  return result;
}

function contourStrength(plane: Plane): Plane {
  const { width, height, data } = plane;
  const strength = newPlane(width, height);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const dx = data[i + 1]! - data[i - 1]!;
      const dy = data[i + width]! - data[i - width]!;
      strength.data[i] = Math.sqrt(dx * dx + dy * dy);
    }
  }
  return strength;
}

/** Pixels on the crests of contour strength, strongest first: facets meet there. Around people fainter ones count. */
function contourPixels(edges: Plane, people: Float32Array): Int32Array {
  const { width, height, data } = edges;
  const crests: number[] = [];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const here = data[i]!;
      if (here < mix(0.035, 0.014, people[i]!)) continue;
      const acrossX = here > data[i - 1]! && here >= data[i + 1]!;
      const acrossY = here > data[i - width]! && here >= data[i + width]!;
      if (acrossX || acrossY) crests.push(i);
    }
  }
  // In eight steps of strength; within a step in reading order, so that spots follow each other along a contour.
  const step = (pixel: number) => Math.min(7, Math.floor(data[pixel]! * 60));
  return Int32Array.from(crests.sort((one, other) => step(other) - step(one) || one - other));
}

/** The face's own points, thinned to 1/55 of its height so that no facet is smaller than a print can show. */
function facePoints(face: Face, width: number, height: number): [number, number][] {
  const apart = face.height / 55;
  const kept: [number, number][] = [];
  for (let point = 0; point < 478; point++) {
    const x = face.points[point * 3]!;
    const y = face.points[point * 3 + 1]!;
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    if (kept.some(([kx, ky]) => Math.hypot(kx - x, ky - y) < apart)) continue;
    kept.push([x, y]);
  }
  return kept;
}

function borderPoints(width: number, height: number, apart: number): [number, number][] {
  const points: [number, number][] = [];
  const columns = Math.ceil(width / apart);
  const rows = Math.ceil(height / apart);
  for (let i = 0; i <= columns; i++)
    points.push([(i / columns) * width, -2], [(i / columns) * width, height + 2]);
  for (let i = 1; i < rows; i++) points.push([-2, (i / rows) * height], [width + 2, (i / rows) * height]);
  return points;
}

/** In strips, back and forth, without doubles. */
function ordered(points: readonly [number, number][], strip: number): [Float32Array, Float32Array] {
  const keyed = points.map(([x, y]) => {
    const row = Math.floor(y / strip);
    return { x, y, row, along: row % 2 === 0 ? x : -x };
  });
  keyed.sort((a, b) => a.row - b.row || a.along - b.along || a.y - b.y);
  const kept = keyed.filter(
    (point, i) => i === 0 || Math.hypot(point.x - keyed[i - 1]!.x, point.y - keyed[i - 1]!.y) > 0.5,
  );
  return [Float32Array.from(kept, (point) => point.x), Float32Array.from(kept, (point) => point.y)];
}

function mean(values: Float32Array, triangles: Int32Array, facet: number): number {
  const at = facet * 3;
  return (values[triangles[at]!]! + values[triangles[at + 1]!]! + values[triangles[at + 2]!]!) / 3;
}

/** Which facet each pixel lies in, with facets drawn at `size` of their own around their middles. */
function facets(
  triangles: Int32Array,
  x: Float32Array,
  y: Float32Array,
  width: number,
  height: number,
  size: number,
): Int32Array {
  const owner = new Int32Array(width * height).fill(-1);
  for (let facet = 0; facet < triangles.length / 3; facet++) {
    const middleX = mean(x, triangles, facet);
    const middleY = mean(y, triangles, facet);
    const xs = [0, 1, 2].map((k) => mix(middleX, x[triangles[facet * 3 + k]!]!, size));
    const ys = [0, 1, 2].map((k) => mix(middleY, y[triangles[facet * 3 + k]!]!, size));
    const at = clamp(Math.round(middleY), 0, height - 1) * width + clamp(Math.round(middleX), 0, width - 1);
    owner[at] = facet;
    const top = Math.max(0, Math.ceil(Math.min(...ys)));
    const bottom = Math.min(height - 1, Math.floor(Math.max(...ys)));
    for (let row = top; row <= bottom; row++) {
      let left = Number.POSITIVE_INFINITY;
      let right = Number.NEGATIVE_INFINITY;
      for (let k = 0; k < 3; k++) {
        const [fromX, fromY] = [xs[k]!, ys[k]!];
        const [toX, toY] = [xs[(k + 1) % 3]!, ys[(k + 1) % 3]!];
        if (fromY === toY || (fromY > row && toY > row) || (fromY < row && toY < row)) continue;
        const crossing = fromX + ((row - fromY) / (toY - fromY)) * (toX - fromX);
        left = Math.min(left, crossing);
        right = Math.max(right, crossing);
      }
      const from = Math.max(0, Math.ceil(left - 0.5));
      const to = Math.min(width - 1, Math.floor(right + 0.5));
      if (to >= from) owner.fill(facet, row * width + from, row * width + to + 1);
    }
  }
  return owner;
}
