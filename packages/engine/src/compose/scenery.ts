import type { Ratio } from '@guise/contract/common.ts';
import type { Picture, Planes } from '../pixels/picture.ts';
import { allocateCopy } from '../runtime/arena.ts';
import { type Plate, readPlate, type Scene, type SceneLight } from '../scenes/scenes.ts';
import { finish, type Grade, gradeOf, measureGrain } from './film-finish.ts';
import { gradeForMood, lightPlate, type Mood, noMood } from './mood.ts';
import { measurePlate, type PlateLight } from './plate-light.ts';
import { paintWeather } from './weather.ts';

export interface ComposeOptions {
  ratio: Ratio;
  seed: number;
  /** People stand where and as large as in their photo, instead of in the scene's slots. */
  keepFrame?: boolean;
  /** Over the scene's own grade. */
  grade?: Partial<Grade>;
  mood?: Mood;
  /** The scene, where it is being opened already. */
  scenery?: Promise<Scenery>;
  signal?: AbortSignal;
  progress?: (done: number) => void;
}

/** A scene that is ready for people. */
export interface Scenery {
  /** The plate as it is without people, in linear light. */
  backdrop: Plate;
  light: SceneLight;
  plateLight: PlateLight;
  plateGrain: number;
}

/** Opens a scene in the light that the mood asks for. */
export async function openScenery(scene: Scene, { ratio, mood = noMood }: ComposeOptions): Promise<Scenery> {
  const { plate, light } = lightPlate(await readPlate(scene, ratio), scene.light, mood, scene.tags);
  const { width, height, colour } = plate;
  return {
    backdrop: plate,
    light,
    plateLight: measurePlate(colour, width, height),
    plateGrain: measureGrain(colour, width, height),
  };
}

/** What is painted on: the plate once more. */
export function canvasOf({ backdrop }: Scenery): Planes {
  return backdrop.colour.map(allocateCopy) as Planes;
}

/** Weather, grade and grain over everything, and the picture is done. */
export function finishScenery(
  canvas: Planes,
  { backdrop, plateGrain }: Scenery,
  scene: Scene,
  people: Float32Array,
  { mood = noMood, grade, seed }: ComposeOptions,
): Picture {
  const { width, height } = backdrop;
  if (mood.weather) paintWeather(canvas, backdrop, mood.weather, seed);
  const whole = gradeOf(scene.grade, { ...gradeForMood(mood), ...grade });
  return finish(canvas, width, height, people, whole, plateGrain, seed);
}
