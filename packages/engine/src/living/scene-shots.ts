import type { Note } from '@guise/contract/notes.ts';
import {
  arrangeInScene,
  type DrawnPeople,
  drawEverybody,
  drawInFront,
  type SceneArrangement,
  type SceneComposite,
} from '../compose/compose.ts';
import { gradeOf, prepareFilmTables } from '../compose/film-finish.ts';
import { gradeForMood, noMood } from '../compose/mood.ts';
import type { PlacedPeople } from '../compose/place-people.ts';
import { type ComposeOptions, canvasOf, finishPicture } from '../compose/prepared-scene.ts';
import { separatePeople } from '../compose/separate-people.ts';
import {
  arrangeInCostumes,
  type CostumeArrangement,
  type CostumeOptions,
  drawInCostumes,
  notesOnCostumes,
  type Wearer,
  type WornCostume,
} from '../costume/costume.ts';
import type { Costume } from '../costume/costumes.ts';
import type { Face } from '../faces/face.ts';
import { moveFace } from '../faces/face-outline.ts';
import { createJudge, type Measurement, qualityOf } from '../judge/judge.ts';
import { assertShowable } from '../judge/ladder.ts';
import { type PeoplePhoto, separateGuests } from '../matting/people.ts';
import type { Canvas } from '../pixels/layer.ts';
import { mapPlanes, type Picture, type Planes } from '../pixels/picture.ts';
import { allocateZeroPlane, type Placement, planeOf, type Size } from '../pixels/plane.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import { allocateCopy, withArena } from '../runtime/arena.ts';
import { cannotMake } from '../runtime/render-error.ts';
import type { Scene } from '../scenes/scenes.ts';
import { alignShot, placeThrough, steadyCentre } from './align-shots.ts';
import { frontLayerOf } from './front-layer.ts';
import { guideFrom, type Keyframe, keyframeFrom, scalePlane, scalePlanes } from './keyframe.ts';
import type { FrontLayer, LivingScene } from './living-stage.ts';
import type { Shot, ShotDrawer } from './shot.ts';

export interface SceneShotOptions {
  scene: Scene;
  /** One for each guest, in the variant for them; none where they keep their clothes. */
  costumes: readonly Costume[];
  compose: CostumeOptions;
  /** The clip's. */
  size: Size;
  /** Pixels of the clip for one of the network's. */
  factor: number;
  /** Cuts the people of a shot out. */
  cut(shot: Shot): Promise<PeoplePhoto>;
  /** Paints the look, or the palette alone, over a finished picture. */
  paint(picture: Picture, faces: Face[]): Promise<Picture>;
  /** Whether a look is painted: what is shown then is not the canvas but paintings of it. */
  hasLook: boolean;
}

/** What is drawn of each shot, whatever people wear. */
type Drawn = Pick<DrawnPeople, 'canvas' | 'people' | 'faces'>;

/** A way to draw the first shot, and others like it. */
interface SceneDrawing {
  arrangement: Pick<SceneArrangement, 'barrier' | 'foreground' | 'prepared'>;
  applied: Note[];
  /** What the judge has to know of it; costumes are not judged. */
  judged: Pick<SceneComposite, 'applied' | 'closer' | 'placed' | 'barrier'> | null;
  /** To be called inside of `withArena`. */
  draw(): Drawn;
  drawLike(people: PeoplePhoto): Drawn;
}

/** People of a burst in a scene, in their own clothes or in costumes. */
export function sceneShots(options: SceneShotOptions): ShotDrawer {
  const { size, factor, compose } = options;
  let drawing: SceneDrawing | null = null;
  let scene: LivingScene | null = null;
  let measurements: Measurement[] = [];

  return {
    async draw(shot, wantsStill) {
      const people = await options.cut(shot);
      const isFirst = drawing === null;
      drawing ??=
        options.costumes.length > 0
          ? await drawingInCostumes(people, options)
          : await drawingInScene(people, options);
      const { arrangement, draw, drawLike } = drawing;
      const { prepared } = arrangement;
      const made = withArena(() => {
        const drawn = isFirst ? draw() : drawLike(people);
        const { canvas, people: alpha, faces } = drawn;
        const keyframe = keyframeFrom(canvas, alpha, prepared.plate.colour, size);
        if (isFirst) scene = sceneFrom(drawn, arrangement, options);
        // Before what stands in front of people is drawn over them.
        const behind = options.hasLook ? finishPicture(copyOf(canvas), alpha, prepared, compose) : null;
        const picture = wantsStill ? finishedPicture(drawn, arrangement, compose) : null;
        return { keyframe, faces, behind, picture, people: isFirst ? alpha : null };
      });
      if (made.picture && made.people && drawing.judged) {
        const composite = {
          ...drawing.judged,
          picture: made.picture,
          faces: made.faces,
          people: made.people,
        };
        ({ measurements } = await createJudge()(composite));
        assertShowable(measurements);
      }
      const guide = guideFrom(made.keyframe, factor, true);
      const still = made.picture && (await options.paint(made.picture, made.faces));
      if (isFirst && options.hasLook)
        scene = await paintedScene(scene!.front, arrangement, made.faces, options);
      const painting = made.behind && (await options.paint(made.behind, made.faces));
      const keyframe = painting ? paintedKeyframe(painting, made.keyframe) : made.keyframe;
      const scale = size.width / prepared.plate.width;
      const faces = made.faces.map((face) => moveFace(face, { scale, x: 0, y: 0 }));
      return { drawn: { index: shot.index, keyframe, guide, faces }, still };
    },
    scene: () => scene!,
    applied: () => drawing!.applied,
    ignored: () => [],
    quality: () => (measurements.length > 0 ? { quality: qualityOf(measurements) } : {}),
  };
}

async function drawingInScene(
  first: PeoplePhoto,
  { scene, compose }: SceneShotOptions,
): Promise<SceneDrawing> {
  const arrangement = await arrangeInScene([first], scene, compose);
  let placed: PlacedPeople[] = [];
  return {
    arrangement,
    applied: arrangement.applied,
    judged: arrangement,
    draw() {
      const drawn = drawEverybody([first], arrangement, compose);
      placed = arrangement.placed.map((one, i) => ({ ...one, harmony: drawn.harmonies[i]! }));
      return drawn;
    },
    drawLike(people) {
      const like = placeLike(people, first, placed, arrangement.prepared.plate);
      return drawEverybody([people], { placed: like, prepared: arrangement.prepared }, compose);
    },
  };
}

/** The people of a further shot, each where they are in the first. */
function placeLike(
  people: PeoplePhoto,
  first: PeoplePhoto,
  placed: readonly PlacedPeople[],
  canvas: Size,
): PlacedPeople[] {
  const onFirst = alignShot(first, people);
  const parts = placed.length === 1 ? [people] : separatePeople(people);
  return placed.map((one) => {
    const indices = one.people.faces.map((face) => first.faces.indexOf(face));
    const part = parts.find(
      ({ faces }) =>
        faces.length === indices.length &&
        faces.every((face) => indices.includes(people.faces.indexOf(face))),
    );
    if (!part) throw cannotMake('People stand before each other in another way than in the first shot.');
    const placement = placeThrough(onFirst, one.placement);
    return { ...one, people: fadeCutSides(part, placement, canvas), placement };
  });
}

/** How far from a side of the photo people fade who go on beyond it, in widths of the photo. */
const fadedSide = 0.03;

/**
 * The people of a further shot, who may be cut by a side of the photo that lies within the canvas: they fade there
 * instead of ending in a straight line. Where that side lies on the canvas' own or beyond, it cuts them.
 */
export function fadeCutSides(people: PeoplePhoto, { scale, x: left }: Placement, canvas: Size): PeoplePhoto {
  const { cut } = people.silhouette;
  const { width, height, data } = people.matte;
  const fadesLeft = cut.left.share >= 0.01 && left > 1;
  const fadesRight = cut.right.share >= 0.01 && left + people.photo.width * scale < canvas.width - 1;
  if (!fadesLeft && !fadesRight) return people;
  const reach = fadedSide * width;
  const faded = new Float32Array(data.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const inside = Math.min(fadesLeft ? x : reach, fadesRight ? width - 1 - x : reach);
      faded[i] = data[i]! * smoothstep(0, reach, inside);
    }
  }
  return { ...people, matte: { ...people.matte, data: faded } };
}

async function drawingInCostumes(
  first: PeoplePhoto,
  { scene, costumes, compose }: SceneShotOptions,
): Promise<SceneDrawing> {
  const arrangement = await arrangeInCostumes(wearersOf(first, costumes), scene, compose);
  let worn: WornCostume[] = [];
  return {
    arrangement: { ...arrangement, barrier: null },
    applied: notesOnCostumes(arrangement.costumes),
    judged: null,
    draw() {
      const drawn = drawInCostumes(arrangement, compose);
      worn = drawn.worn;
      return drawn;
    },
    drawLike(people) {
      const wearers = wearersOf(people, costumes).map((wearer, i) => ({
        ...wearer,
        costume: arrangement.wearers[i]!.costume,
      }));
      const like: CostumeArrangement = { ...arrangement, wearers };
      return drawInCostumes(like, compose, placeHeadsLike(first, people, worn));
    },
  };
}

function wearersOf(people: PeoplePhoto, costumes: readonly Costume[]): Wearer[] {
  return separateGuests(people).map((guest, i) => ({
    people: guest,
    face: guest.faces[0]!,
    costume: costumes[i]!,
  }));
}

/** Heads stay in their collars: as large as in the first shot, with their eyes where they were. */
function placeHeadsLike(
  first: PeoplePhoto,
  people: PeoplePhoto,
  worn: readonly WornCostume[],
): WornCostume[] {
  const ratio = first.photo.width / people.photo.width;
  return worn.map((one, i) => {
    const { angle, scale, anchor } = one.placement;
    const [from, to] = [steadyCentre([first.faces[i]!]), steadyCentre([people.faces[i]!])];
    const moved = {
      x: to.x + (anchor.x - from.x) / ratio,
      y: to.y + (anchor.y - from.y) / ratio,
    };
    return { ...one, placement: { angle, scale: scale * ratio, anchor: moved } };
  });
}

/** What all frames of a burst that is not painted have in common. */
function sceneFrom(
  { canvas, people, faces }: Drawn,
  arrangement: SceneDrawing['arrangement'],
  { compose, size }: SceneShotOptions,
): LivingScene {
  const { prepared } = arrangement;
  const { mood, grade, seed } = compose;
  const front = { arrangement, weather: mood?.weather ?? null, seed };
  const small = { ...size, colour: scalePlanes(canvas.colour, canvas, size) };
  const alpha = planeOf(scalePlane(people, size), size);
  return {
    ...size,
    plate: scalePlanes(prepared.plate.colour, prepared.plate, size),
    front: frontLayerOf(canvas, people, faces, front, size),
    finish: {
      film: prepareFilmTables(small, alpha, {
        grade: gradeOf(prepared.scene.grade, { ...(mood && gradeForMood(mood)), ...grade }),
        plateGrain: prepared.plateGrain,
        seed,
      }),
      palette: mood?.palette ?? null,
    },
  };
}

/** The picture that a request for one picture would give. Draws over the canvas. */
function finishedPicture(
  { canvas, people, faces }: Drawn,
  arrangement: SceneDrawing['arrangement'],
  compose: ComposeOptions,
): Picture {
  drawInFront(canvas, people, faces, arrangement);
  return finishPicture(canvas, people, arrangement.prepared, compose);
}

const copyOf = (canvas: Canvas): Canvas => ({ ...canvas, colour: mapPlanes(canvas.colour, allocateCopy) });

/** The scene without anybody, painted; and what stands in front of people, as far as it hides them. */
async function paintedScene(
  front: FrontLayer | null,
  arrangement: SceneDrawing['arrangement'],
  faces: readonly Face[],
  { compose, paint, size }: SceneShotOptions,
): Promise<LivingScene> {
  const { prepared } = arrangement;
  const { weather: _, ...calm } = compose.mood ?? noMood;
  const empty = (withFront: boolean) =>
    withArena(() => {
      const canvas = canvasOf(prepared);
      const nobody = allocateZeroPlane(canvas);
      if (withFront) drawInFront(canvas, nobody, faces, arrangement);
      const mood = withFront ? compose.mood : { ...calm, weather: null };
      return finishPicture(canvas, nobody, prepared, { ...compose, ...(mood && { mood }) });
    });
  const painted = async (withFront: boolean) => {
    const { planes, ...from } = await paint(empty(withFront), []);
    return scalePlanes(planes, from, size);
  };
  const scene = { ...size, plate: await painted(false), front: null, finish: null };
  return front ? { ...scene, front: paintedFront(front, await painted(true)) } : scene;
}

/** What hides people, in the colours of a painting of it. */
function paintedFront({ gain }: FrontLayer, painting: Planes): FrontLayer {
  const [red, green, blue] = gain;
  const through = red.map((value, i) => clamp((value + green[i]! + blue[i]!) / 3, 0, 1));
  return {
    gain: mapPlanes(gain, () => through),
    light: mapPlanes(painting, (plane) => plane.map((value, i) => value * (1 - through[i]!))),
  };
}

/** The people of a painting. */
function paintedKeyframe(painting: Picture, { width, height, alpha }: Keyframe): Keyframe {
  const colour = scalePlanes(painting.planes, painting, { width, height });
  for (const plane of colour) for (let i = 0; i < plane.length; i++) plane[i] = plane[i]! * alpha[i]!;
  return { width, height, colour, alpha };
}
