import type { Picture } from '../../pixels/picture.ts';
import { shuffledNumbers } from '../../pixels/random.ts';
import { clamp } from '../../pixels/scalar.ts';
import { allocate, allocateIntegers, withArena } from '../../runtime/arena.ts';
import type { BrushPrint } from './brush-prints.ts';
import type { PaintCanvas } from './paint-canvas.ts';
import { traceStrokes } from './stroke-paths.ts';
import { printStrokes } from './stroke-prints.ts';
import { noStroke, type StrokeShape, type StrokeStarts, startFields } from './stroke-values.ts';
import type { Flow } from './tangent-flow.ts';

export interface StrokeLayer extends StrokeShape {
  /** How many strokes lie over each other on average. */
  overlap: number;
  opacity: number;
  /** How much the colours of strokes differ from the reference, 0 to 1. */
  variety: number;
  /** The probability of a stroke at this pixel, 0 to 1. */
  probabilityAt(pixel: number): number;
}

/** What the layers of one painting share. */
export interface Painting {
  /** Gives the strokes their colours. */
  reference: Picture;
  flow: Flow;
  prints: readonly BrushPrint[];
  random(): number;
}

/** Paints one layer of strokes over the canvas, coloured from the reference, along its forms. */
export function paintStrokes(canvas: PaintCanvas, layer: StrokeLayer, painting: Painting): void {
  const { reference, flow, prints } = painting;
  const { width, length, limit, slant, opacity } = layer;
  withArena(() => {
    const starts = startStrokes(layer, painting);
    const strokes = traceStrokes(starts, { reference, flow, shape: { width, length, limit, slant } });
    printStrokes(canvas, strokes, { prints, halfWidth: width / 2, opacity });
  });
}

/** One stroke at a random place of each cell of a grid, as far as the layer's probability keeps it. */
function startStrokes(layer: StrokeLayer, { reference, prints, random }: Painting): StrokeStarts {
  const { width, height } = reference;
  const spacing = Math.max(1.5, Math.sqrt((layer.width * layer.length) / layer.overlap));
  const columns = Math.ceil(width / spacing);
  // Strokes lie over each other in random order. They are traced cell by cell, since neighbours read the same pixels.
  const order = shuffledNumbers(columns * Math.ceil(height / spacing), random);
  const values = allocate(order.length * startFields);
  const strokeAt = allocateIntegers(order.length);
  const draws = new Float32Array(order.length);
  for (const [stroke, cell] of order.entries()) {
    const at = stroke * startFields;
    values[at] = clamp(((cell % columns) + random()) * spacing, 0, width - 1);
    values[at + 1] = clamp((Math.floor(cell / columns) + random()) * spacing, 0, height - 1);
    values[at + 2] = (random() * prints.length) | 0;
    values[at + 3] = (random() - 0.5) * layer.variety;
    values[at + 4] = (random() - 0.5) * layer.variety * 0.5;
    draws[stroke] = random();
    strokeAt[cell] = stroke;
  }
  for (let cell = 0; cell < order.length; cell++) {
    const stroke = strokeAt[cell]!;
    const at = stroke * startFields;
    const pixel = (values[at + 1]! | 0) * width + (values[at]! | 0);
    if (draws[stroke]! >= layer.probabilityAt(pixel)) strokeAt[cell] = noStroke;
  }
  return { values, strokeAt };
}
