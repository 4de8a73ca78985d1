import { clamp, clamp01, mix, smoothstep } from '../pixels/colour.ts';
import { blurReduced, gaussianBlur } from '../pixels/gaussian-blur.ts';
import { smoothKeepingEdges } from '../pixels/guided-filter.ts';
import { fromLab, type LabPicture, toLab } from '../pixels/lab.ts';
import { clouds } from '../pixels/noise.ts';
import { channelOf, type Picture, type Planes } from '../pixels/picture.ts';
import { allocatePlane, allocateZeroPlane, type Plane } from '../pixels/plane.ts';
import { enlarge, type ReducedPlane, reducePicture, rowReader } from '../pixels/reduce.ts';
import { findRegions } from '../pixels/regions.ts';
import { withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { drawingTone } from './strokes/drawing-tone.ts';
import { flowLines } from './strokes/lines.ts';
import { tangentFlow } from './strokes/tangent-flow.ts';
import type { Subject } from './subject/subject.ts';
import { glassColors } from './tiling/glass.ts';
import { cutPanes, withoutSplinters } from './tiling/panes.ts';
import { scatter } from './tiling/scatter.ts';

const forRows = rowsOf(import.meta.url);

/** Panes are cut at a quarter of the size; leads and glass are drawn at full size. */
const coarseness = 4;

/** Church windows: coloured panes in lead, faces whole and painted, light from behind. */
export function stainedGlass(subject: Subject): Picture {
  const { picture, unit, width, height, face, features, seed } = subject;
  const painted = withArena(() => {
    const tone = drawingTone(subject);
    return flowLines(tone, tangentFlow(tone, unit * 0.025), {
      sigma: clamp(unit * 0.006, 1.3, 3.8),
      sharpness: 18,
      tone: 1,
      fill: 0.36,
      hardness: 9,
      length: 8,
    });
  }).data;
  const { own, small } = withArena(() => {
    const calm = smoothKeepingEdges(picture, clamp(unit * 0.02, 3, 9), 0.08);
    return { own: toLab(calm), small: toLab(reducePicture(calm, coarseness)) };
  });
  const { owner, count } = panes(subject, small);
  const lead = leads(owner, small.width, small.height, unit, width, height);
  const glass = glassColors(owner, count, small, seed);
  const sheet = paneSheet(owner, glass, small, width, height);
  const streaks = clouds({ width, height }, { largest: unit * 0.35, octaves: 4, seed: seed + 3 }).data;
  const ripples = clouds({ width, height }, { largest: unit * 0.05, octaves: 2, seed: seed + 4 }).data;
  forRows(
    glassRows,
    height,
    { width, sheet, streaks, ripples, painted, face, features },
    { lightness: own.lightness, a: own.a, b: own.b },
  );
  return leaded(fromLab(own), lead, unit);
}

interface Glazing {
  width: number;
  /** The panes' colours. */
  sheet: LabPicture;
  streaks: Float32Array;
  ripples: Float32Array;
  painted: Float32Array;
  face: Float32Array;
  features: Float32Array;
}

/** From the photo's own colours to painted glass, in place. */
export function glassRows(
  { width, sheet, streaks, ripples, painted, face, features }: Glazing,
  { lightness, a, b }: Pick<LabPicture, 'lightness' | 'a' | 'b'>,
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const clear = Math.max(face[i]!, features[i]!);
    const kept = mix(0.3, 0.86, clear);
    const light = mix(sheet.lightness[i]!, lightness[i]! * 1.06 + 4, kept);
    const glassy = light + (streaks[i]! * 26 + ripples[i]! * 9) * mix(1, 0.22, face[i]!);
    const paint = 1 - (1 - painted[i]!) * mix(0.55, 0.92, clear);
    const vivid = mix(0.5, 1, paint);
    lightness[i] = glassy * paint;
    a[i] = mix(sheet.a[i]!, a[i]! * 1.25, kept * 0.7) * vivid;
    b[i] = mix(sheet.b[i]!, b[i]! * 1.25, kept * 0.7) * vivid;
  }
}

/** Panes everywhere, with each face as a pane of its own: a lead through an eye would spoil the window. */
function panes(subject: Subject, small: LabPicture): { owner: Int32Array; count: number } {
  const { unit, people, face, faces, width, seed } = subject;
  const full = (x: number, y: number) =>
    Math.min(face.length - 1, ((y * coarseness) | 0) * width + Math.min(width - 1, (x * coarseness) | 0));
  const sizeAt = (x: number, y: number) => (unit * mix(0.42, 0.24, people[full(x, y)]!)) / coarseness;
  const smallest = (unit * 0.24) / coarseness;
  const spots = scatter(
    small.width,
    small.height,
    smallest,
    (i) => sizeAt(i % small.width, (i / small.width) | 0) * 0.95,
    seed,
  );
  const sizes = Float32Array.from({ length: spots.count }, (_, k) => sizeAt(spots.x[k]!, spots.y[k]!));
  const owner = cutPanes(small, spots, sizes, 6);
  const skins = faces.map((person) => {
    const at =
      Math.round(person.center.y / coarseness) * small.width + Math.round(person.center.x / coarseness);
    return clamp(at, 0, owner.length - 1);
  });
  for (let i = 0; i < owner.length; i++) {
    const x = i % small.width;
    const y = (i / small.width) | 0;
    let nearest = 0;
    let best = Number.POSITIVE_INFINITY;
    for (const [index, person] of faces.entries()) {
      const dx = x * coarseness - person.center.x;
      const dy = y * coarseness - person.center.y;
      const away = Math.sqrt(dx * dx + dy * dy) / person.height;
      if (away < best) {
        best = away;
        nearest = index;
      }
    }
    const skin = skins[nearest];
    if (skin === undefined || best > 0.85) continue;
    // The mesh ends below the hairline; the forehead above it is found by the colour of the skin.
    const apart = Math.hypot(
      (small.lightness[i]! - small.lightness[skin]!) * 0.7,
      small.a[i]! - small.a[skin]!,
      small.b[i]! - small.b[skin]!,
    );
    const forehead = y * coarseness < faces[nearest]!.center.y && best < 0.78 && apart < 17;
    if (forehead || face[full(x, y)]! >= 0.5) owner[i] = spots.count + nearest;
  }
  for (const index of faces.keys()) closePane(owner, small.width, spots.count + index);
  return {
    owner: withoutSplinters(owner, small.width, smallest * smallest * 0.3),
    count: spots.count + faces.length,
  };
}

/** Gives a pane whatever it encloses, in place: a glint on a forehead would stand there in a ring of lead. */
function closePane(owner: Int32Array, width: number, pane: number): void {
  const height = owner.length / width;
  const other = Float32Array.from(owner, (own) => (own === pane ? 0 : 1));
  const { labels, areas } = findRegions({ data: other, width, height }, 0.5, 'above');
  const open = new Uint8Array(areas.length);
  for (let x = 0; x < width; x++) open[labels[x]!] = open[labels[labels.length - 1 - x]!] = 1;
  for (let i = 0; i < labels.length; i += width) open[labels[i]!] = open[labels[i + width - 1]!] = 1;
  for (let i = 0; i < owner.length; i++) if (open[labels[i]!] === 0) owner[i] = pane;
}

/** 1 in the lead, soft at its sides. */
function leads(
  owner: Int32Array,
  columns: number,
  rows: number,
  unit: number,
  width: number,
  height: number,
): Plane {
  const cuts = allocateZeroPlane({ width: columns, height: rows });
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const i = y * columns + x;
      const right = x < columns - 1 && owner[i] !== owner[i + 1];
      const below = y < rows - 1 && owner[i] !== owner[i + columns];
      if (right || below) cuts.data[i] = 1;
    }
  }
  const wide = clamp((unit * 0.012) / coarseness, 0.75, 1.6);
  const soft = gaussianBlur(cuts, wide);
  // A one-pixel line blurred is 0.4 / sigma high; back to one height for all widths.
  for (let i = 0; i < soft.data.length; i++) soft.data[i]! *= wide * 1.25;
  return enlarge(soft, { width, height }, coarseness);
}

function paneSheet(
  owner: Int32Array,
  colors: Float32Array,
  small: LabPicture,
  width: number,
  height: number,
): LabPicture {
  const [lightness, a, b] = [0, 1, 2].map((k) => {
    const plane = allocatePlane(small);
    for (let i = 0; i < owner.length; i++) plane.data[i] = owner[i]! < 0 ? 0 : colors[owner[i]! * 3 + k]!;
    return enlarge(plane, { width, height }, coarseness).data;
  });
  return { width, height, lightness: lightness!, a: a!, b: b! };
}

/** Lays the lead over the glass, in place: dark beside it, a gleam along it, light blooming through. */
function leaded(glass: Picture, lead: Plane, unit: number): Picture {
  const { width, height } = glass;
  withArena(() => {
    const shadow = blurReduced(lead, clamp(unit * 0.03, 4, 14));
    const blooms = ([0, 1, 2] as const).map((c) => blurReduced(channelOf(glass, c), unit * 0.08));
    forRows(leadRows, height, { width, lead: lead.data, shadow, blooms }, { planes: glass.planes });
  });
  return glass;
}

export function leadRows(
  {
    width,
    lead,
    shadow,
    blooms,
  }: { width: number; lead: Float32Array; shadow: ReducedPlane; blooms: readonly ReducedPlane[] },
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const last = lead.length - 1;
  const readShadow = rowReader(shadow, width);
  const readBlooms = blooms.map((bloom) => rowReader(bloom, width));
  const metal = new Float32Array(width);
  const gleam = new Float32Array(width);
  for (let y = from; y < to; y++) {
    const beside = readShadow(y);
    for (let x = 0, i = y * width; x < width; x++, i++) {
      beside[x] = clamp01(1.06 - beside[x]! * 0.85);
      metal[x] = smoothstep(0.2, 0.34, lead[i]!);
      gleam[x] = 0.07 + clamp01((lead[i]! - lead[Math.min(last, i + width + 1)]!) * 1.6) * 0.25;
    }
    for (const [c, plane] of planes.entries()) {
      leadRow(plane, y * width, width, beside, readBlooms[c]!(y), metal, gleam);
    }
  }
}

function leadRow(
  plane: Float32Array,
  start: number,
  width: number,
  beside: Float32Array,
  bloom: Float32Array,
  metal: Float32Array,
  gleam: Float32Array,
): void {
  for (let x = 0, i = start; x < width; x++, i++) {
    const lit = clamp01(plane[i]! * beside[x]! + bloom[x]! * bloom[x]! * 0.16);
    plane[i] = mix(lit, gleam[x]!, metal[x]!);
  }
}
