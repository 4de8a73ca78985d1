import type { Face } from '../faces/face.ts';
import { modelInput } from '../faces/face-models.ts';
import { pointOf } from '../faces/face-outline.ts';
import { moveNet } from '../models/models.ts';
import { Tensor } from '../models/onnxruntime.ts';
import { session } from '../models/sessions.ts';
import type { Picture } from '../pixels/picture.ts';
import { resamplePicture, type Window } from '../pixels/resample.ts';

/** The joints that the network finds, in the order of its answer. */
const jointNames = [
  'nose',
  'left eye',
  'right eye',
  'left ear',
  'right ear',
  'left shoulder',
  'right shoulder',
  'left elbow',
  'right elbow',
  'left wrist',
  'right wrist',
  'left hip',
  'right hip',
  'left knee',
  'right knee',
  'left ankle',
  'right ankle',
] as const;

export type JointName = (typeof jointNames)[number];

/** A joint of somebody, in pixels of the photo, and how sure the network is of it. */
export interface Joint {
  name: JointName;
  x: number;
  y: number;
  score: number;
}

const [side] = moveNet.input.size!;
/** The network answers for cells of four pixels. */
const cells = side / 4;

/** The window that the network sees of somebody: in face heights from the face, upwards and to every other side. */
const above = 1.2;
const reach = 3;

/** Whose nose is further off than this from that of the face, in face heights, is hardly the person meant. */
const noseRadius = 0.4;

/** How quickly the network's own graph prefers what is near to where somebody was expected. */
const nearness = 1.8;

/** The joints of the person with this face. */
export async function findJoints(photo: Picture, face: Face): Promise<Joint[]> {
  const window = windowAround(photo, face);
  const network = await session(moveNet);
  const values = modelInput(cutWindow(photo, window), moveNet);
  const [input] = network.inputNames;
  const outputs = await network.run({ [input!]: new Tensor('float32', values, [1, 3, side, side]) });
  const [heat, centre, regress, offset] = moveNet.conversion!.part!.outputs.map(
    (name) => outputs[name]!.data as Float32Array,
  ) as [Float32Array, Float32Array, Float32Array, Float32Array];
  const scale = window.width / cells;
  const unit = noseRadius * (face.height / scale);
  const tip = pointOf(face, 4);
  const nose = { x: (tip.x - window.x) / scale, y: (tip.y - window.y) / scale };
  const person = bestCell((i, x, y) => {
    const [row, column] = at(regress, 0, i);
    const far = Math.hypot(x + column - nose.x, y + row - nose.y) / unit;
    return sigmoid(centre[i]!) * Math.exp(-far * far);
  });
  return jointNames.map((name, joint) => {
    const [row, column] = at(regress, joint, person.i);
    const expected = { x: person.x + column, y: person.y + row };
    const heatOf = (i: number) => sigmoid(heat[joint * cells * cells + i]!);
    const { i, x, y } = bestCell(
      (i, x, y) => heatOf(i) / (Math.hypot(x - expected.x, y - expected.y) + nearness),
    );
    const [down, across] = at(offset, joint, i);
    return { name, x: window.x + (x + across) * scale, y: window.y + (y + down) * scale, score: heatOf(i) };
  });
}

/** Row and column of a joint in a map of both for every joint. */
const at = (map: Float32Array, joint: number, i: number) =>
  [map[2 * joint * cells * cells + i]!, map[(2 * joint + 1) * cells * cells + i]!] as const;

const sigmoid = (value: number) => 1 / (1 + Math.exp(-value));

function bestCell(worthOf: (i: number, x: number, y: number) => number): { i: number; x: number; y: number } {
  let best = { i: 0, x: 0, y: 0 };
  let most = -Infinity;
  for (let y = 0, i = 0; y < cells; y++) {
    for (let x = 0; x < cells; x++, i++) {
      const worth = worthOf(i, x, y);
      if (worth <= most) continue;
      most = worth;
      best = { i, x, y };
    }
  }
  return best;
}

/** A square with the body that is expected below a face. */
function windowAround({ width, height }: Picture, { center, height: unit }: Face): Window {
  const side = 2 * reach * unit;
  const keepInside = (start: number, length: number) =>
    side >= length ? (length - side) / 2 : Math.min(Math.max(start, 0), length - side);
  return {
    x: keepInside(center.x - reach * unit, width),
    y: side >= height ? 0 : keepInside(center.y - above * unit, height),
    width: side,
    height: side,
  };
}

/** The window at the network's size, black where it reaches beyond the photo. */
function cutWindow(photo: Picture, window: Window): Picture {
  const cut = resamplePicture(photo, window, { width: side, height: side });
  const step = window.width / side;
  const isOutside = (start: number, i: number, length: number) => {
    const position = start + (i + 0.5) * step;
    return position < 0 || position >= length;
  };
  for (let y = 0, i = 0; y < side; y++) {
    for (let x = 0; x < side; x++, i++) {
      if (!isOutside(window.x, x, photo.width) && !isOutside(window.y, y, photo.height)) continue;
      for (const plane of cut.planes) plane[i] = 0;
    }
  }
  return cut;
}
