import type { Face, Picture } from './picture.ts';

/** Takes the flash's red out of pupils, in place: inside an iris, red far above green and blue becomes their mean. */
export function clearRedEyes({ width, height, planes }: Picture, faces: readonly Face[]): void {
  const [red, green, blue] = planes;
  for (const { points } of faces) {
    for (const first of [468, 473]) {
      const x = points[first * 3]!;
      const y = points[first * 3 + 1]!;
      const edge = (k: number) => Math.hypot(points[(first + k) * 3]! - x, points[(first + k) * 3 + 1]! - y);
      const radius = 1.25 * Math.max(edge(1), edge(2), edge(3), edge(4));
      for (let py = Math.max(0, Math.ceil(y - radius)); py <= Math.min(height - 1, y + radius); py++) {
        for (let px = Math.max(0, Math.ceil(x - radius)); px <= Math.min(width - 1, x + radius); px++) {
          if ((px - x) ** 2 + (py - y) ** 2 > radius * radius) continue;
          const i = py * width + px;
          const other = Math.max(green[i]!, blue[i]!);
          // Skin at the lids has 1.3 to 1.7 times as much red; a lit retina 2 and more.
          const share = Math.min(1, Math.max(0, (red[i]! / (other + 0.02) - 1.45) / 0.35));
          if (share === 0) continue;
          const dark = (green[i]! + blue[i]!) / 2;
          red[i] = red[i]! + (dark - red[i]!) * share;
        }
      }
    }
  }
}
