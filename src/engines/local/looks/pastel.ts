import { clamp, smoothstep } from '../colour.ts';
import type { Picture } from '../picture.ts';
import { randomFrom } from '../random.ts';
import { brushPrints } from './brush.ts';
import { drawingTone } from './drawing-tone.ts';
import { tangentFlow } from './flow.ts';
import { smoothKeepingEdges } from './guided.ts';
import { flowLines } from './lines.ts';
import { clouds } from './noise.ts';
import { paperTooth } from './paper.ts';
import { grey, newPicture, newPlane } from './plane.ts';
import { type Canvas, paintStrokes, type StrokeLayer } from './strokes.ts';
import type { Subject } from './subject.ts';
import { color, mix, within } from './tone.ts';

const paperColor = color('#b9ada0');
const conte = color('#3a2a2c');

/** Soft chalks on toned paper: slanted strokes, the paper's tooth showing through, faces rubbed smooth. */
export function pastel(subject: Subject): Picture {
  const { picture, unit, width, height, face, features, people, seed } = subject;
  const random = randomFrom(seed);
  const tone = drawingTone(subject);
  const flow = tangentFlow(tone, unit * 0.05);
  const chalk = chalks(smoothKeepingEdges(picture, clamp(unit * 0.016, 3, 8), 0.06));
  const canvas: Canvas = { picture: newPicture(width, height), body: newPlane(width, height) };
  for (let c = 0; c < 3; c++) canvas.picture.planes[c]!.fill(paperColor[c]!);
  const prints = brushPrints(random, 1);
  const drift = clouds(width, height, unit * 0.9, 3, seed + 5).data;
  const reach = (i: number) => smoothstep(-0.1, 0.35, people[i]! + drift[i]! * 0.8);
  const layers: StrokeLayer[] = [
    {
      ...stick,
      width: unit * 0.07,
      length: unit * 0.5,
      limit: 0.4,
      opacity: 0.75,
      wanted: (i) => 0.45 + 0.55 * reach(i),
    },
    { ...stick, width: unit * 0.034, length: unit * 0.26, limit: 0.26, wanted: (i) => mix(0.3, 1, reach(i)) },
    {
      ...stick,
      width: clamp(unit * 0.016, 3, 8),
      length: unit * 0.11,
      limit: 0.16,
      variety: 0.05,
      wanted: (i) => mix(0.08, 0.85, reach(i)),
    },
  ];
  for (const layer of layers) paintStrokes(canvas, chalk, flow, layer, prints, random);
  const lines = flowLines(tone, flow, {
    sigma: clamp(unit * 0.0042, 1, 1.9),
    sharpness: 16,
    tone: 1,
    fill: 0.38,
    hardness: 6,
    length: 7,
  }).data;
  const tooth = paperTooth(width, height, 2.3, seed + 1).data;
  const result = newPicture(width, height);
  for (let i = 0; i < tooth.length; i++) {
    const rubbed = Math.max(0.8 * face[i]!, 0.9 * features[i]!);
    const hole = smoothstep(0.02, -0.3, tooth[i]!) * mix(0.45, 0.1, Math.max(face[i]!, 0.35 * reach(i)));
    const drawn = (1 - lines[i]!) * mix(0.4, 0.62, features[i]!) * smoothstep(-0.5, 0.1, tooth[i]! + 0.25);
    for (let c = 0; c < 3; c++) {
      const laid = mix(canvas.picture.planes[c]![i]!, chalk.planes[c]![i]!, rubbed);
      const toothed = mix(laid, paperColor[c]! * 0.97, hole) + tooth[i]! * 0.05;
      result.planes[c]![i] = within(mix(toothed, conte[c]!, drawn));
    }
  }
  return result;
}

const stick = { overlap: 2.4, opacity: 0.82, variety: 0.13, slant: -0.8 };

/** The colours of a box of chalks: lighter, clean, never quite black. */
function chalks(picture: Picture): Picture {
  const [red, green, blue] = picture.planes;
  const result = newPicture(picture.width, picture.height);
  for (let i = 0; i < red.length; i++) {
    const value = grey(red[i]!, green[i]!, blue[i]!);
    const lift = 0.17 + 0.83 * value ** 0.82;
    for (let c = 0; c < 3; c++) {
      const away = picture.planes[c]![i]! - value;
      result.planes[c]![i] = within(lift + away * 1.25);
    }
  }
  return result;
}
