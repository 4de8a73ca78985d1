import { rgbOf } from '../pixels/colour.ts';
import { clouds, whiteNoise } from '../pixels/noise.ts';
import { allocatePicture, lumaPlane, type Picture, type Planes } from '../pixels/picture.ts';
import { clamp, clamp01, mix, smoothstep } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { drawingTone } from './strokes/drawing-tone.ts';
import { averageAlongFlow } from './strokes/flow-average.ts';
import { flowLines } from './strokes/flow-lines.ts';
import { hatch } from './strokes/hatching.ts';
import { paperTooth } from './strokes/paper.ts';
import { type Flow, tangentFlow } from './strokes/tangent-flow.ts';
import { fitClass } from './subject/people-classes.ts';
import type { Subject } from './subject/subject.ts';

const forRows = rowsOf(import.meta.url);

const paperColor = rgbOf('#f6f4ee');
const graphite = rgbOf('#2b2b30');
/** Strokes over clothes that would pass for skin. */
export const pencilHatching = { dark: graphite, light: paperColor, different: 0.16 };

/** Graphite on drawing paper: contours, strokes that follow hair and folds, hatching in the shadows. */
export function pencil(subject: Subject): Picture {
  const { picture, unit, width, height, face, features, people, seed } = subject;
  const tone = drawingTone(subject);
  const light = lumaPlane(picture).data;
  const flow = tangentFlow(tone, unit * 0.03);
  const fine = clamp(unit * 0.0042, 1, 2);
  const lines = flowLines(tone, flow, {
    sigma: fine,
    sharpness: 16,
    tone: 1,
    fill: 0.46,
    hardness: 5,
    length: 7,
  }).data;
  const fibres = withArena(() =>
    averageAlongFlow(whiteNoise({ width, height }, seed + 2), flow, { steps: 7, stride: 2, taper: false }),
  ).data;
  const hair = subject.classes && fitClass(subject.classes, 'hair', picture);
  if (hair) drawStrands(fibres, hair, flow, subject);
  const spacing = clamp(unit * 0.011, 2.2, 4.5);
  const first = hatch(subject, { angle: -0.95, spacing, length: unit * 0.3, seed: seed + 3 }).data;
  const second = hatch(subject, { angle: -0.35, spacing, length: unit * 0.25, seed: seed + 4 }).data;
  const tooth = paperTooth(subject, 2.2, seed).data;
  const drift = clouds({ width, height }, { largest: unit * 0.8, octaves: 3, seed: seed + 5 }).data;
  const result = allocatePicture({ width, height });
  forRows(
    pencilRows,
    height,
    {
      width,
      light,
      tone: tone.data,
      lines,
      fibres,
      first,
      second,
      tooth,
      drift,
      face,
      features,
      people,
      hair,
    },
    { planes: result.planes },
  );
  return result;
}

/** Longer and stronger fibres in hair, in place: strokes as long as a lock is. */
function drawStrands(
  fibres: Float32Array,
  hair: Float32Array,
  flow: Flow,
  { width, height, seed }: Subject,
): void {
  withArena(() => {
    const noise = whiteNoise({ width, height }, seed + 6);
    const strands = averageAlongFlow(noise, flow, { steps: 16, stride: 2.5, taper: false }).data;
    for (let i = 0; i < fibres.length; i++) {
      // The mean of more noise varies less; 1.5 brings its contrast back, and 1.4 more makes strokes of it.
      const strand = 0.5 + (strands[i]! - 0.5) * 1.5 * 1.4;
      fibres[i] = mix(fibres[i]!, strand, hair[i]!);
    }
  });
}

interface PencilInput {
  width: number;
  light: Float32Array;
  tone: Float32Array;
  lines: Float32Array;
  fibres: Float32Array;
  first: Float32Array;
  second: Float32Array;
  tooth: Float32Array;
  drift: Float32Array;
  face: Float32Array;
  features: Float32Array;
  people: Float32Array;
  hair: Float32Array | null;
}

export function pencilRows(
  input: PencilInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const { width, light, tone, lines, fibres, first, second, tooth, drift, face, features, people, hair } =
    input;
  const [red, green, blue] = planes;
  for (let i = from * width; i < to * width; i++) {
    const shade = mix(light[i]!, tone[i]!, 0.4);
    const reach = smoothstep(0.02, 0.55, people[i]! + drift[i]! * 0.55);
    const fibre = clamp01((fibres[i]! - 0.5) * 3.2 + 0.5);
    // Hair is drawn strand by strand: hatching across it looks like a net.
    const strand = hair ? hair[i]! * (1 - face[i]!) : 0;
    const soft = clamp01(1 - shade * 1.12) * (mix(0.62, 0.52, strand) + mix(0.5, 0.85, strand) * fibre);
    const half = smoothstep(0.62, 0.35, shade) * smoothstep(0.42, 0.72, first[i]!) * 0.3;
    const deep = smoothstep(0.38, 0.16, shade) * smoothstep(0.4, 0.7, second[i]!) * 0.34;
    const hatched = soft * 0.92 + (half + deep) * mix(1, 0.45, face[i]!) * (1 - 0.85 * strand);
    const contour = (1 - lines[i]!) * mix(0.8, 0.95, features[i]!);
    const pressed = Math.max(
      contour * mix(0.5, 1, reach),
      hatched * mix(0.22, 1, reach) * mix(1, 0.86, face[i]!),
    );
    // Graphite reaches the raised grain of the paper first: light strokes break up, heavy ones fill it.
    const bite = clamp01(pressed * (1 + tooth[i]! * 1.5 * (1 - pressed)));
    const lit = tooth[i]! * 0.02;
    red[i] = clamp01(mix(paperColor[0] + lit, graphite[0], bite));
    green[i] = clamp01(mix(paperColor[1] + lit, graphite[1], bite));
    blue[i] = clamp01(mix(paperColor[2] + lit, graphite[2], bite));
  }
}
