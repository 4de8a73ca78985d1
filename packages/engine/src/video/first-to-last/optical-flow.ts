import { type Field, measureAgreement, newField, samplePlane, smoothPlane } from './field.ts';
import { type Cv, type GreyImage, type Mat, matOf, withFreedObjects } from './opencv.ts';

/** Where the pixels of each frame are in the other, and how far that can be trusted, 0 to 1. */
export interface Flows {
  there: Field;
  back: Field;
  trustThere: Float32Array;
  trustBack: Float32Array;
}

interface FlowOptions {
  /** What is known of the motion before looking: the map of the whole, bent at the faces. */
  there: Field;
  back: Field;
  /** The most that a pixel may go beside that, in pixels. */
  most: number;
  /** Where in each frame the motion is to be followed, 0 to 1; null for everywhere. */
  within: { first: Float32Array; last: Float32Array } | null;
}

/** Distance at which there and back no longer agree. */
const slack = 1.5;

/** Dense flow in both directions, on top of what is known, smoothed where the two do not agree. */
export function measureFlows(
  cv: Cv,
  first: GreyImage,
  last: GreyImage,
  { there, back, most, within }: FlowOptions,
): Flows {
  return withFreedObjects((own) => {
    const even = own(new cv.CLAHE(2, new cv.Size(8, 8)));
    const [a, b] = [own(matOf(cv, first)), own(matOf(cv, last))];
    // Against light that differs between the frames.
    even.apply(a, a);
    even.apply(b, b);
    const flows = { there: refine(cv, a, b, there, most), back: refine(cv, b, a, back, most) };
    fillDoubts(flows.there, trustOf(flows.there, flows.back, within?.first));
    fillDoubts(flows.back, trustOf(flows.back, flows.there, within?.last));
    return {
      ...flows,
      trustThere: shared(smoothPlane(trustOf(flows.there, flows.back, within?.first), first, 2)),
      trustBack: shared(smoothPlane(trustOf(flows.back, flows.there, within?.last), first, 2)),
    };
  });
}

function trustOf(there: Field, back: Field, within: Float32Array | undefined): Float32Array {
  const trust = measureAgreement(there, back, slack);
  if (within) for (let i = 0; i < trust.length; i++) trust[i] = trust[i]! * within[i]!;
  return trust;
}

/** What Farnebäck's method finds between one frame and the other brought over by the known field, added to it. */
function refine(cv: Cv, from: Mat, to: Mat, known: Field, most: number): Field {
  const { width, height } = known;
  return withFreedObjects((own) => {
    const mapX = own(new cv.Mat(height, width, cv.CV_32FC1));
    const mapY = own(new cv.Mat(height, width, cv.CV_32FC1));
    for (let row = 0, i = 0; row < height; row++) {
      for (let column = 0; column < width; column++, i++) {
        mapX.data32F[i] = column + known.x[i]!;
        mapY.data32F[i] = row + known.y[i]!;
      }
    }
    const brought = own(new cv.Mat());
    cv.remap(to, brought, mapX, mapY, cv.INTER_LINEAR, cv.BORDER_REPLICATE, new cv.Scalar());
    const flow = own(new cv.Mat());
    cv.calcOpticalFlowFarneback(from, brought, flow, 0.5, 5, 25, 4, 7, 1.5, 0);
    const rest = { x: new Float32Array(width * height), y: new Float32Array(width * height) };
    for (let i = 0; i < rest.x.length; i++) {
      const u = flow.data32F[i * 2]!;
      const v = flow.data32F[i * 2 + 1]!;
      const over = Math.max(1, Math.hypot(u, v) / most);
      rest.x[i] = u / over;
      rest.y[i] = v / over;
    }
    const calm = { x: smoothPlane(rest.x, known, 2), y: smoothPlane(rest.y, known, 2) };
    const field = newField(known);
    for (let row = 0, i = 0; row < height; row++) {
      for (let column = 0; column < width; column++, i++) {
        const x = column + calm.x[i]!;
        const y = row + calm.y[i]!;
        field.x[i] = calm.x[i]! + samplePlane(known.x, width, height, x, y);
        field.y[i] = calm.y[i]! + samplePlane(known.y, width, height, x, y);
      }
    }
    return field;
  });
}

/** Where the flow is not trusted it takes the motion of trusted surroundings, near ones first. */
function fillDoubts(field: Field, trust: Float32Array): void {
  for (const radius of [12, 6, 3]) {
    const weight = trust.map((value) => value + 0.002);
    const total = smoothPlane(weight, field, radius);
    for (const plane of [field.x, field.y]) {
      const sum = smoothPlane(
        plane.map((value, i) => value * weight[i]!),
        field,
        radius,
      );
      for (let i = 0; i < plane.length; i++) {
        plane[i] = plane[i]! + (sum[i]! / total[i]! - plane[i]!) * (1 - 0.85 * trust[i]!);
      }
    }
  }
}

function shared(plane: Float32Array): Float32Array {
  const copy = new Float32Array(new SharedArrayBuffer(plane.length * 4));
  copy.set(plane);
  return copy;
}
