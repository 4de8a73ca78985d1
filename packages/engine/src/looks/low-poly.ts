import Delaunator from 'delaunator';
import type { Face } from '../faces/face.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { smoothKeepingEdges } from '../pixels/guided-filter.ts';
import { lumaOf, lumaPlane, type Picture } from '../pixels/picture.ts';
import { allocatePlane, allocateZeroPlane, type Plane, type Size } from '../pixels/plane.ts';
import { randomFrom } from '../pixels/random.ts';
import { clamp, clamp01, mix } from '../pixels/scalar.ts';
import { allocate, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import type { Subject } from './subject/subject.ts';
import { facetCenter, labelFacets, type Triangulation } from './tiling/facets.ts';
import { meanColors } from './tiling/label-map.ts';
import { scatterPoints } from './tiling/scatter.ts';

const forRows = rowsOf(import.meta.url);

/** Flat triangles: along contours everywhere, along the points of the face mesh in faces. */
export function lowPoly(subject: Subject): Picture {
  const { picture, unit, width, height } = subject;
  const smooth = smoothKeepingEdges(picture, clamp(unit * 0.02, 3, 8), 0.08);
  const triangulation = triangulateSubject(subject, smooth);
  const facets = labelFacets(triangulation, subject, 1);
  const colors = facetColors(subject, smooth, triangulation);
  const [red, green, blue] = ([0, 1, 2] as const).map((index) =>
    withArena(() => {
      const flat = allocatePlane({ width, height });
      const under = picture.planes[index];
      forRows(facetRows, height, { width, labels: facets.labels, colors, under, index }, { flat: flat.data });
      // A blur of less than a pixel smooths the stepped edges of the facets.
      return gaussianBlur(flat, 0.55).data;
    }),
  );
  return { width, height, planes: [red!, green!, blue!] };
}

/** Triangles whose corners are the points of the faces, contours, and what fills the gaps between. */
function triangulateSubject(subject: Subject, smooth: Picture): Triangulation {
  const { unit, width, height, face, people, faces, seed } = subject;
  const edges = gradientStrength(gaussianBlur(lumaPlane(smooth), clamp(unit * 0.008, 1.2, 3)));
  const meshPixels = facePointPixels(faces, subject);
  const edgePixels = contourPixels(edges, people);
  const distance = allocate(width * height);
  forRows(distanceRows, height, { width, unit, people, face }, { distance });
  for (const i of edgePixels) distance[i] = unit * mix(mix(0.12, 0.064, people[i]!), 0.038, face[i]!);
  for (const i of meshPixels) distance[i] = unit / 40;
  const first = new Int32Array(meshPixels.length + edgePixels.length);
  first.set(meshPixels);
  first.set(edgePixels, meshPixels.length);
  const corners = scatterPoints(subject, {
    smallest: unit * 0.11,
    distanceAt: (i) => distance[i]!,
    seed,
    first,
  });
  const points = Array.from({ length: corners.count }, (_, i): [number, number] => [
    corners.x[i]!,
    corners.y[i]!,
  ]);
  points.push(...borderPoints(subject, unit * 0.3));
  return Delaunator.from(points);
}

/** A colour for each facet, from the middle of it: the mean over a whole facet on a contour is a muddy mixture. */
function facetColors(subject: Subject, smooth: Picture, triangulation: Triangulation): Float32Array {
  const { width, height, face, seed } = subject;
  const count = triangulation.triangles.length / 3;
  const centerOf = (facet: number) => {
    const { x, y } = facetCenter(triangulation, facet);
    return clamp(Math.round(y), 0, height - 1) * width + clamp(Math.round(x), 0, width - 1);
  };
  const colors = meanColors(smooth, labelFacets(triangulation, subject, 0.55), { count, centerOf });
  const random = randomFrom(seed + 1);
  for (let facet = 0; facet < count; facet++) {
    const brightness = 1 + (random() - 0.5) * mix(0.13, 0.05, face[centerOf(facet)]!);
    const at = facet * 3;
    const luma = lumaOf(colors[at]!, colors[at + 1]!, colors[at + 2]!);
    for (let c = 0; c < 3; c++) {
      colors[at + c] = clamp01((luma + (colors[at + c]! - luma) * 1.28) * brightness);
    }
  }
  return colors;
}

/** The distance between corners away from contours. */
export function distanceRows(
  { width, unit, people, face }: Pick<Subject, 'width' | 'unit' | 'people' | 'face'>,
  { distance }: { distance: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++)
    distance[i] = unit * mix(mix(0.4, 0.2, people[i]!), 0.11, face[i]!);
}

interface FacetInput {
  width: number;
  labels: Int32Array;
  colors: Float32Array;
  /** Shown where no facet is. */
  under: Float32Array;
  index: 0 | 1 | 2;
}

export function facetRows(
  { width, labels, colors, under, index }: FacetInput,
  { flat }: { flat: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++)
    flat[i] = labels[i]! < 0 ? under[i]! : colors[labels[i]! * 3 + index]!;
}

function gradientStrength({ width, height, data }: Plane): Plane {
  const strength = allocateZeroPlane({ width, height });
  forRows(gradientRows, height, { width, height, data }, { strength: strength.data });
  return strength;
}

export function gradientRows(
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

/** Pixels on the ridges of the gradient, strongest first; near people fainter ridges count too. */
function contourPixels(edges: Plane, people: Float32Array): Int32Array {
  const { width, height, data } = edges;
  const ridges: number[] = [];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const here = data[i]!;
      if (here < mix(0.035, 0.014, people[i]!)) continue;
      const acrossX = here > data[i - 1]! && here >= data[i + 1]!;
      const acrossY = here > data[i - width]! && here >= data[i + width]!;
      if (acrossX || acrossY) ridges.push(i);
    }
  }
  // In eight steps of strength; within a step in reading order, so that points follow each other along a contour.
  const steps: number[][] = Array.from({ length: 8 }, () => []);
  for (const pixel of ridges) steps[7 - Math.min(7, Math.floor(data[pixel]! * 60))]!.push(pixel);
  return Int32Array.from(steps.flat());
}

/** The pixels of the face meshes' points. There are more than a print can show: scattering thins them. */
function facePointPixels(faces: readonly Face[], { width, height }: Size): Int32Array {
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

/** Points just outside of the picture, so that facets cover it up to its border. */
function borderPoints({ width, height }: Size, distance: number): [number, number][] {
  const points: [number, number][] = [];
  const columns = Math.ceil(width / distance);
  const rows = Math.ceil(height / distance);
  for (let i = 0; i <= columns; i++)
    points.push([(i / columns) * width, -2], [(i / columns) * width, height + 2]);
  for (let i = 1; i < rows; i++) points.push([-2, (i / rows) * height], [width + 2, (i / rows) * height]);
  return points;
}
