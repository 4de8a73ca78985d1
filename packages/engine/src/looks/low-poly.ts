import type { Face } from '../faces/face.ts';
import { clamp, clamp01, mix } from '../pixels/colour.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { smoothKeepingEdges } from '../pixels/guided-filter.ts';
import { lumaOf, lumaPlane, type Picture } from '../pixels/picture.ts';
import { allocatePlane, allocateZeroPlane, type Plane } from '../pixels/plane.ts';
import { randomFrom } from '../pixels/random.ts';
import { allocate, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import type { Subject } from './subject/subject.ts';
import { triangulate } from './tiling/delaunay.ts';
import { facetMiddle, facets } from './tiling/facets.ts';
import { regionColors } from './tiling/region-colors.ts';
import { scatter } from './tiling/scatter.ts';

const forRows = rowsOf(import.meta.url);

/** Folded from flat facets: along contours everywhere, along the face's own mesh in faces. */
export function lowPoly(subject: Subject): Picture {
  const { picture, unit, width, height, face, people, seed, faces } = subject;
  const calm = smoothKeepingEdges(picture, clamp(unit * 0.02, 3, 8), 0.08);
  const edges = contourStrength(gaussianBlur(lumaPlane(calm), clamp(unit * 0.008, 1.2, 3)));
  const marks = landmarkPixels(faces, width, height);
  const ridges = contourPixels(edges, people);
  const apart = allocate(width * height);
  forRows(apartRows, height, { width, unit, people, face }, { apart });
  for (const i of ridges) apart[i] = unit * mix(mix(0.12, 0.064, people[i]!), 0.038, face[i]!);
  for (const i of marks) apart[i] = unit / 40;
  const first = new Int32Array(marks.length + ridges.length);
  first.set(marks);
  first.set(ridges, marks.length);
  const spots = scatter(width, height, unit * 0.11, (i) => apart[i]!, seed, first);
  const points = Array.from({ length: spots.count }, (_, i): [number, number] => [spots.x[i]!, spots.y[i]!]);
  points.push(...borderPoints(width, height, unit * 0.3));
  const [x, y] = ordered(points, unit * 0.2);
  const triangles = triangulate(x, y, width, height);
  const owner = facets(triangles, x, y, width, height, 1);
  // Coloured from their middles: a facet that leans over a contour does not turn to mud.
  const middles = facets(triangles, x, y, width, height, 0.55);
  const count = triangles.length / 3;
  const middle = (facet: number) =>
    clamp(Math.round(facetMiddle(y, triangles, facet)), 0, height - 1) * width +
    clamp(Math.round(facetMiddle(x, triangles, facet)), 0, width - 1);
  const colors = regionColors(calm, middles, count, middle);
  const random = randomFrom(seed + 1);
  for (let facet = 0; facet < count; facet++) {
    const tilt = (random() - 0.5) * mix(0.13, 0.05, face[middle(facet)]!);
    const at = facet * 3;
    const value = lumaOf(colors[at]!, colors[at + 1]!, colors[at + 2]!);
    for (let c = 0; c < 3; c++) {
      colors[at + c] = clamp01((value + (colors[at + c]! - value) * 1.28) * (1 + tilt));
    }
  }
  const [red, green, blue] = ([0, 1, 2] as const).map((index) =>
    withArena(() => {
      const flat = allocatePlane({ width, height });
      const under = picture.planes[index];
      forRows(facetRows, height, { width, owner, colors, under, index }, { flat: flat.data });
      // Softens the stairs of the facets' edges by less than a pixel.
      return gaussianBlur(flat, 0.55).data;
    }),
  );
  return { width, height, planes: [red!, green!, blue!] };
}

export function apartRows(
  { width, unit, people, face }: { width: number; unit: number; people: Float32Array; face: Float32Array },
  { apart }: { apart: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++)
    apart[i] = unit * mix(mix(0.4, 0.2, people[i]!), 0.11, face[i]!);
}

interface Folded {
  width: number;
  owner: Int32Array;
  colors: Float32Array;
  /** Shown where no facet is. */
  under: Float32Array;
  index: 0 | 1 | 2;
}

export function facetRows(
  { width, owner, colors, under, index }: Folded,
  { flat }: { flat: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++)
    flat[i] = owner[i]! < 0 ? under[i]! : colors[owner[i]! * 3 + index]!;
}

function contourStrength(plane: Plane): Plane {
  const { width, height, data } = plane;
  const strength = allocateZeroPlane({ width, height });
  forRows(contourRows, height, { width, height, data }, { strength: strength.data });
  return strength;
}

export function contourRows(
  { width, height, data }: Plane,
  { strength }: { strength: Float32Array },
  from: number,
  to: number,
): void {
  for (let y = Math.max(1, from); y < Math.min(height - 1, to); y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const dx = data[i + 1]! - data[i - 1]!;
      const dy = data[i + width]! - data[i - width]!;
      strength[i] = Math.sqrt(dx * dx + dy * dy);
    }
  }
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
  const steps: number[][] = Array.from({ length: 8 }, () => []);
  for (const pixel of crests) steps[7 - Math.min(7, Math.floor(data[pixel]! * 60))]!.push(pixel);
  return Int32Array.from(steps.flat());
}

/** Where the faces' own points lie. Facets along them turn with the face; the scatter thins them to what a print shows. */
function landmarkPixels(faces: readonly Face[], width: number, height: number): Int32Array {
  const pixels: number[] = [];
  for (const { points } of faces) {
    for (let at = 0; at < points.length; at += 3) {
      const x = Math.round(points[at]!);
      const y = Math.round(points[at + 1]!);
      if (x >= 0 && y >= 0 && x < width && y < height) pixels.push(y * width + x);
    }
  }
  return Int32Array.from(pixels);
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
