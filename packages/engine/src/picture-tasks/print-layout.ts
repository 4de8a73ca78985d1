import type { PrintLayout } from '@guise/contract/events/events.ts';
import { ratioOf } from '@guise/contract/families/canvas.ts';

export interface PixelBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A sheet of paper: where pictures are, and where the name of the event stands, if anywhere. */
export interface Sheet {
  width: number;
  height: number;
  panels: PixelBox[];
  band: PixelBox | null;
}

export const pixelsPerInch = 300;

/** What a printer may cut off at each edge stays free of letters and of the edges of panels. */
const margin = 42;
const gap = 24;

/** The sheet of a layout for a picture of this shape (width by height); on a strip, for so many different pictures. */
export function sheetFor(layout: PrintLayout, shape: number, pictures: number): Sheet {
  switch (layout) {
    case '4x6':
      return postcard(shape);
    case 'square':
      return { ...whole(1200, 1200), band: null };
    case '2x6':
      return strip(pictures >= 4 || ratioOf(shape, 1) === 'landscape' ? 4 : 3);
  }
}

const whole = (width: number, height: number) => ({ width, height, panels: [{ x: 0, y: 0, width, height }] });

/** Lying or standing, filled by the picture; one that is nearly square has the event's name below it. */
function postcard(shape: number): Sheet {
  const ratio = ratioOf(shape, 1);
  if (ratio === 'landscape') return { ...whole(1800, 1200), band: null };
  if (ratio === 'portrait') return { ...whole(1200, 1800), band: null };
  const side = 1200 - 2 * margin;
  const panel = { x: margin, y: margin, width: side, height: Math.round(side / Math.max(shape, 0.9)) };
  const below = panel.y + panel.height;
  const band = { x: margin, y: below, width: side, height: 1800 - below - margin };
  return { width: 1200, height: 1800, panels: [panel], band };
}

/** Three panels that are nearly square, or four that have the shape of landscape pictures. */
function strip(count: 3 | 4): Sheet {
  const [width, height] = [600, 1800];
  const panelWidth = width - 2 * margin;
  const panelHeight = count === 4 ? Math.round(panelWidth / 1.5) : 472;
  const panels = Array.from({ length: count }, (_, i) => ({
    x: margin,
    y: margin + i * (panelHeight + gap),
    width: panelWidth,
    height: panelHeight,
  }));
  const top = margin + count * (panelHeight + gap);
  return {
    width,
    height,
    panels,
    band: { x: margin, y: top, width: panelWidth, height: height - top - margin },
  };
}
