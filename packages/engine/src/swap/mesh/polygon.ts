/** Fills the polygon through some of the mesh's points (1 inside) on a plane whose corner lies at x0, y0. */
export function fillPolygon(
  points: Float32Array,
  indices: readonly number[],
  width: number,
  height: number,
  plane = new Float32Array(width * height),
): Float32Array {
  const crossings: number[] = [];
  for (let y = 0; y < height; y++) {
    crossings.length = 0;
    for (let i = 0; i < indices.length; i++) {
      const a = indices[i]! * 3;
      const b = indices[(i + 1) % indices.length]! * 3;
      const ay = points[a + 1]!;
      const by = points[b + 1]!;
      if (ay > y === by > y) continue;
      crossings.push(points[a]! + ((y - ay) / (by - ay)) * (points[b]! - points[a]!));
    }
    crossings.sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const from = Math.max(0, Math.ceil(crossings[i]!));
      const to = Math.min(width - 1, Math.floor(crossings[i + 1]!));
      if (from <= to) plane.fill(1, y * width + from, y * width + to + 1);
    }
  }
  return plane;
}

/** Whether a place lies inside the polygon through some of the mesh's points. */
export function isInPolygon(points: Float32Array, indices: readonly number[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 0; i < indices.length; i++) {
    const a = indices[i]! * 3;
    const b = indices[(i + 1) % indices.length]! * 3;
    const [ay, by] = [points[a + 1]!, points[b + 1]!];
    if (ay > y === by > y) continue;
    if (x < points[a]! + ((y - ay) / (by - ay)) * (points[b]! - points[a]!)) inside = !inside;
  }
  return inside;
}
