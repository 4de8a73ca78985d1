import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { allocatePicture, lumaOf, lumaPlane, type Picture, type Planes } from '../pixels/picture.ts';
import { randomFrom } from '../pixels/random.ts';
import { clamp, clamp01, mix } from '../pixels/scalar.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { makeBrushPrints } from './strokes/brush-prints.ts';
import { kuwahara } from './strokes/kuwahara.ts';
import { paintThickness, primeCanvas } from './strokes/paint-canvas.ts';
import { shadeRelief } from './strokes/paper.ts';
import { paintStrokes, type StrokeLayer } from './strokes/strokes.ts';
import { tangentFlow } from './strokes/tangent-flow.ts';
import { fitClass } from './subject/people-classes.ts';
import type { Subject } from './subject/subject.ts';

const forRows = rowsOf(import.meta.url);

/** What most layers have in common. */
const brush = { overlap: 3, opacity: 0.92, variety: 0.1, slant: 0.9 };

/** Brush strokes in four sizes, thick paint that catches the light, fine brushwork on faces. */
export function oil(subject: Subject): Picture {
  const { picture, unit, width, height, face, features, people, seed } = subject;
  const random = randomFrom(seed);
  const flow = tangentFlow(lumaPlane(picture), unit * 0.03);
  const soft = kuwahara(picture, flow, clamp(unit * 0.012, 2, 5));
  const canvas = primeCanvas(soft);
  const prints = makeBrushPrints(random, 0.7);
  const layers: StrokeLayer[] = [
    { ...brush, width: unit * 0.14, length: unit * 0.62, limit: 0.5, probabilityAt: (i) => 1 - face[i]! },
    {
      ...brush,
      width: unit * 0.066,
      length: unit * 0.3,
      limit: 0.32,
      probabilityAt: (i) => mix(0.6, 1, people[i]!) * (1 - 0.9 * face[i]!),
    },
    {
      ...brush,
      width: clamp(unit * 0.03, 5, 14),
      length: unit * 0.15,
      limit: 0.2,
      variety: 0.05,
      probabilityAt: (i) => mix(0.12, 0.9, people[i]!) * (1 - features[i]!),
    },
    {
      ...brush,
      width: clamp(unit * 0.014, 3.2, 8),
      length: unit * 0.06,
      limit: 0.12,
      variety: 0.025,
      opacity: 0.8,
      probabilityAt: (i) => 0.75 * face[i]! * (1 - 0.6 * features[i]!),
    },
  ];
  const hair = subject.classes && fitClass(subject.classes, 'hair', picture);
  if (hair) {
    layers.splice(3, 0, {
      ...brush,
      width: clamp(unit * 0.016, 3, 8),
      length: unit * 0.26,
      limit: 0.16,
      variety: 0.1,
      slant: 0.15,
      probabilityAt: (i) => 0.9 * hair[i]! * (1 - face[i]!),
    });
  }
  const painting = { reference: soft, flow, prints, random };
  for (const layer of layers) paintStrokes(canvas, layer, painting);
  const shade = shadeRelief(gaussianBlur(paintThickness(canvas), 0.8)).data;
  const result = allocatePicture({ width, height });
  forRows(
    varnishRows,
    height,
    { width, paint: canvas.paint, soft: soft.planes, shade, face, features },
    { planes: result.planes },
  );
  return result;
}

interface VarnishInput {
  width: number;
  paint: Float32Array;
  soft: Planes;
  shade: Float32Array;
  face: Float32Array;
  features: Float32Array;
}

export function varnishRows(
  { width, paint, soft, shade, face, features }: VarnishInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const vivid = (stroke: number, below: number, keep: number, value: number, light: number) =>
    clamp01((value + (mix(stroke, below, keep) - value) * 1.2) * (1 + 0.55 * light) + 0.05 * light);
  const [softRed, softGreen, softBlue] = soft;
  const [outRed, outGreen, outBlue] = planes;
  for (let i = from * width; i < to * width; i++) {
    const keep = 0.15 * face[i]! + 0.55 * features[i]!;
    const light = shade[i]! * mix(1.1, 0.5, face[i]!);
    const at = i * 4;
    const value = lumaOf(paint[at]!, paint[at + 1]!, paint[at + 2]!);
    outRed[i] = vivid(paint[at]!, softRed[i]!, keep, value, light);
    outGreen[i] = vivid(paint[at + 1]!, softGreen[i]!, keep, value, light);
    outBlue[i] = vivid(paint[at + 2]!, softBlue[i]!, keep, value, light);
  }
}
