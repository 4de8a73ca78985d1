import { mapPlanes } from '../pixels/picture.ts';
import { clamp } from '../pixels/scalar.ts';
import type { Light, Palette, Weather } from '../prompt/prompt-notes.ts';
import type { Plate, Scene, SceneLight } from '../scenes/scenes.ts';
import type { Grade } from './film-finish.ts';
import type { LinearRgb } from './plate-light.ts';

/** What a prompt says about light, weather and colours, apart from the scene. */
export interface Mood {
  light: Light | null;
  weather: Weather | null;
  palette: Palette | null;
}

export const noMood: Mood = { light: null, weather: null, palette: null };

interface LightChange {
  /** Stops. */
  exposure: number;
  /** Per channel, on linear light. */
  tint: readonly [number, number, number];
}

/** How each light differs from the one a plate was rendered in. */
const lightChanges: Record<Light, LightChange> = {
  dawn: { exposure: -0.15, tint: [1.08, 0.97, 0.96] },
  day: { exposure: 0.35, tint: [1, 1, 0.98] },
  'golden-hour': { exposure: 0.05, tint: [1.2, 1, 0.72] },
  dusk: { exposure: -0.55, tint: [1.03, 0.92, 1.1] },
  night: { exposure: -1.1, tint: [0.74, 0.87, 1.18] },
  candlelight: { exposure: -0.55, tint: [1.26, 0.95, 0.6] },
  studio: { exposure: 0.15, tint: [1, 1, 1.01] },
};

const weatherChanges: Partial<Record<Weather, LightChange>> = {
  rain: { exposure: -0.25, tint: [0.95, 0.99, 1.05] },
  snow: { exposure: 0.1, tint: [0.96, 1, 1.05] },
  fog: { exposure: 0, tint: [0.99, 1, 1.02] },
  storm: { exposure: -0.7, tint: [0.9, 0.97, 1.08] },
  clouds: { exposure: -0.2, tint: [0.97, 1, 1.02] },
};

/**
 * The scene's plate and light in the light and weather of the mood, and what the plate's linear light was multiplied
 * with. People are matched to these afterwards.
 */
export function applyMood(
  plate: Plate,
  { light, tags }: Scene,
  mood: Mood,
): { plate: Plate; light: SceneLight; gain: LinearRgb } {
  // A scene that is tagged with the light or weather already has it.
  const changes = [
    mood.light && !tags.includes(mood.light.split('-')[0]!) ? lightChanges[mood.light] : undefined,
    mood.weather && !tags.includes(mood.weather) ? weatherChanges[mood.weather] : undefined,
  ].filter((change) => change !== undefined);
  if (changes.length === 0) return { plate, light, gain: [1, 1, 1] };
  const gain = [0, 1, 2].map((c) =>
    changes.reduce((product, { exposure, tint }) => product * 2 ** exposure * tint[c]!, 1),
  ) as LinearRgb;
  const colour = mapPlanes(plate.colour, (plane, c) => plane.map((value) => Math.min(1, value * gain[c]!)));
  const level = (gain[0] + gain[1] + gain[2]) / 3;
  const tinted = (rgb: SceneLight['color']) => {
    const product = rgb.map((value, c) => value * gain[c]!);
    const most = Math.max(...product);
    return product.map((value) => value / most) as SceneLight['color'];
  };
  return {
    plate: { ...plate, colour },
    gain,
    light: {
      ...light,
      key: clamp(light.key * level ** 0.8, 0.01, 0.8),
      color: tinted(light.color),
      fill: tinted(light.fill),
    },
  };
}

/** The part of the grade that weather and light set: clouds lower the contrast, a clear sky raises it. */
export function gradeForMood(mood: Mood): Partial<Grade> {
  if (mood.weather === 'clear') return { contrast: 0.26, saturation: 1.06 };
  if (mood.weather === 'clouds' || mood.weather === 'fog') return { contrast: 0.08, saturation: 0.86 };
  if (mood.weather === 'storm') return { contrast: 0.28, saturation: 0.82, vignette: 0.5 };
  if (mood.light === 'studio') return { vignette: 0.6 };
  return {};
}
