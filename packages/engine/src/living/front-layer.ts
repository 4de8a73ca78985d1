import type { SceneArrangement } from '../compose/compose.ts';
import { drawInFront } from '../compose/compose.ts';
import { ambientLight, drawWeather } from '../compose/weather.ts';
import type { Face } from '../faces/face.ts';
import type { Canvas } from '../pixels/layer.ts';
import { mapPlanes, type Planes } from '../pixels/picture.ts';
import { allocateZeroPlane, type Plane, type Size } from '../pixels/plane.ts';
import type { Weather } from '../prompt/prompt-notes.ts';
import { allocate, allocateCopy, withArena } from '../runtime/arena.ts';
import { scalePlanes } from './keyframe.ts';
import type { FrontLayer } from './living-stage.ts';

/** What is before the people of the first shot. */
export interface FrontOptions {
  arrangement: Pick<SceneArrangement, 'barrier' | 'foreground' | 'prepared'>;
  weather: Weather | null;
  seed: number;
}

/**
 * Barrier, foreground and weather as they are drawn over the first shot, as a layer by itself: drawn once over black and
 * once over white, of which the difference says what is seen through it. Null where there is nothing.
 */
export function frontLayerOf(
  canvas: Canvas,
  people: Plane,
  faces: readonly Face[],
  { arrangement, weather, seed }: FrontOptions,
  size: Size,
): FrontLayer | null {
  if (!arrangement.barrier && !arrangement.foreground && !weather) return null;
  const ambient = ambientLight(canvas);
  return withArena(() => {
    const draw = (level: number): Planes => {
      const colour = mapPlanes(canvas.colour, (plane) => allocate(plane.length).fill(level));
      const behind = allocateZeroPlane(canvas);
      behind.data.set(allocateCopy(people.data));
      const over = { ...canvas, colour };
      drawInFront(over, behind, faces, arrangement);
      if (weather) drawWeather(over, behind, { weather, seed, ambient });
      return colour;
    };
    const light = draw(0);
    const gain = mapPlanes(draw(1), (plane, c) => plane.map((value, i) => value - light[c]![i]!));
    return { gain: scalePlanes(gain, canvas, size), light: scalePlanes(light, canvas, size) };
  });
}
