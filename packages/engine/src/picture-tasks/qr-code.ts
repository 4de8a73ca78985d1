import { encode } from 'uqr';
import type { PixelBox } from './print-layout.ts';

/** Modules of white around a code, without which phones do not find it. */
const quietModules = 4;

/** A QR code in a white box, as SVG. Modules are whole pixels, so that none is blurred. */
export function drawCode(text: string, { x, y, width }: PixelBox): string {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const module = Math.max(1, Math.floor(width / (size + 2 * quietModules)));
  const offset = Math.round((width - size * module) / 2);
  let path = '';
  for (const [row, modules] of data.entries()) {
    for (const [column, isDark] of modules.entries()) {
      if (isDark)
        path += `M${x + offset + column * module} ${y + offset + row * module}h${module}v${module}h-${module}z`;
    }
  }
  return (
    `<rect x="${x}" y="${y}" width="${width}" height="${width}" fill="#ffffff"/>` +
    `<path d="${path}" fill="#000000" shape-rendering="crispEdges"/>`
  );
}
