import { smoothKeepingEdges } from '../pixels/guided-filter.ts';
import { fromLab, type LabPicture, toLab } from '../pixels/lab.ts';
import { clouds } from '../pixels/noise.ts';
import type { Picture } from '../pixels/picture.ts';
import { allocatePlane, type Size } from '../pixels/plane.ts';
import { enlarge, reducePicture } from '../pixels/reduce.ts';
import { clamp, mix } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { drawingTone } from './strokes/drawing-tone.ts';
import { flowLines } from './strokes/flow-lines.ts';
import { tangentFlow } from './strokes/tangent-flow.ts';
import type { Subject } from './subject/subject.ts';
import { choosePaneColors } from './tiling/glass.ts';
import type { LabelMap } from './tiling/label-map.ts';
import { coverWithLead, drawLead } from './tiling/lead.ts';
import { cutPanes } from './tiling/panes.ts';

const forRows = rowsOf(import.meta.url);

/** Panes are cut at a quarter of the size; lead and glass are drawn at full size. */
const factor = 4;

/** A church window: coloured panes in lead, faces in one piece and painted, light from behind. */
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
  const { glass, small } = withArena(() => {
    const smooth = smoothKeepingEdges(picture, clamp(unit * 0.02, 3, 9), 0.08);
    return { glass: toLab(smooth), small: toLab(reducePicture(smooth, factor)) };
  });
  const panes = cutPanes(subject, { ...small, factor });
  const lead = drawLead(panes, subject, factor, unit);
  const sheet = fillPanes(panes, choosePaneColors(panes, small, seed), subject);
  const streaks = clouds({ width, height }, { largest: unit * 0.35, octaves: 4, seed: seed + 3 }).data;
  const ripples = clouds({ width, height }, { largest: unit * 0.05, octaves: 2, seed: seed + 4 }).data;
  forRows(
    glassRows,
    height,
    { width, sheet, streaks, ripples, painted, face, features },
    { lightness: glass.lightness, a: glass.a, b: glass.b },
  );
  return coverWithLead(fromLab(glass), lead, unit);
}

/** The panes filled with their colours, at full size. */
function fillPanes(panes: LabelMap, colors: Float32Array, { width, height }: Size): LabPicture {
  const { labels } = panes;
  const [lightness, a, b] = [0, 1, 2].map((k) => {
    const plane = allocatePlane(panes);
    for (let i = 0; i < labels.length; i++) plane.data[i] = labels[i]! < 0 ? 0 : colors[labels[i]! * 3 + k]!;
    return enlarge(plane, { width, height }, factor).data;
  });
  return { width, height, lightness: lightness!, a: a!, b: b! };
}

interface GlassInput {
  width: number;
  /** The colours of the panes. */
  sheet: LabPicture;
  streaks: Float32Array;
  ripples: Float32Array;
  painted: Float32Array;
  face: Float32Array;
  features: Float32Array;
}

/** Changes the photo's colours to those of painted glass, in place. */
export function glassRows(
  { width, sheet, streaks, ripples, painted, face, features }: GlassInput,
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
