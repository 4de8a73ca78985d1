import type { Ratio } from '@guise/contract/common.ts';
import type { Canvas } from '../pixels/layer.ts';
import { mapPlanes, type Picture } from '../pixels/picture.ts';
import type { Plane } from '../pixels/plane.ts';
import type { ReducedPlane } from '../pixels/reduce.ts';
import { allocateCopy } from '../runtime/arena.ts';
import { type Plate, readPlate, type Scene, type SceneLight } from '../scenes/scenes.ts';
import { applyFilmFinish, type Grade, gradeOf, measureGrain } from './film-finish.ts';
import { applyMood, gradeForMood, type Mood, noMood } from './mood.ts';
import { type LinearRgb, measurePlateLight, type PlateLight } from './plate-light.ts';
import { drawWeather } from './weather.ts';

export interface ComposeOptions {
  ratio: Ratio;
  seed: number;
  /** People stand where and as large as in their photo, instead of in the scene's slots. */
  keepFrame?: boolean;
  /** Overrides the scene's own grade. */
  grade?: Partial<Grade>;
  mood?: Mood;
  /** Parts of the canvas where people are left out: 1 there, else 0. */
  without?: ReducedPlane;
  /** The scene, where it is being prepared already. */
  preparedScene?: Promise<PreparedScene>;
  signal?: AbortSignal;
  progress?: (done: number) => void;
}

interface PlateFigures {
  plateLight: PlateLight;
  plateGrain: number;
}

/** A scene with its plate decoded and measured. */
export interface PreparedScene extends PlateFigures {
  scene: Scene;
  /** The empty scene in the light that the mood asks for. */
  plate: Plate;
  light: SceneLight;
  /** What the mood multiplied the plate's linear light with. */
  gain: LinearRgb;
}

/** Reads a scene's plate, applies the mood to it and measures its light and grain. */
export async function prepareScene(
  scene: Scene,
  { ratio, mood = noMood }: ComposeOptions,
): Promise<PreparedScene> {
  const { plate, light, gain } = applyMood(await readPlate(scene, ratio), scene, mood);
  return { scene, plate, light, gain, ...figuresOf(plate, scene, [ratio, ...gain].join(' ')) };
}

/** What was measured of each scene's plates, by their shape and the mood's light. */
const plateFigures = new WeakMap<Scene, Map<string, PlateFigures>>();

/** Measures a plate once for each key: it takes as long as decoding it. */
function figuresOf(plate: Plate, scene: Scene, key: string): PlateFigures {
  const known = plateFigures.get(scene) ?? new Map<string, PlateFigures>();
  plateFigures.set(scene, known);
  const figures = known.get(key) ?? {
    plateLight: measurePlateLight(plate),
    plateGrain: measureGrain(plate),
  };
  known.set(key, figures);
  return figures;
}

/** A copy of the plate to draw on. */
export function canvasOf({ plate }: PreparedScene): Canvas {
  const { width, height, colour } = plate;
  return { width, height, colour: mapPlanes(colour, allocateCopy) };
}

/** Adds weather, grade and grain to a canvas on which everything is drawn. `people` says how much of it is people. */
export function finishPicture(
  canvas: Canvas,
  people: Plane,
  { scene, plateGrain }: PreparedScene,
  { mood = noMood, grade, seed }: ComposeOptions,
): Picture {
  if (mood.weather) drawWeather(canvas, people, { weather: mood.weather, seed });
  return applyFilmFinish(canvas, people, {
    grade: gradeOf(scene.grade, { ...gradeForMood(mood), ...grade }),
    plateGrain,
    seed,
  });
}
