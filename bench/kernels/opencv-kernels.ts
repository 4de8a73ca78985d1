import { loadOpenCV } from '@opencvjs/node';
import type { Candidate, Clock } from './clock.ts';
import type { Blur, Guided, LayerRemap, Photo, Remap, Resample, Size } from './operations.ts';

/** OpenCV as @opencvjs/node brings it: WebAssembly whose memory is its own, so every plane is copied in and out. */

const cv = await loadOpenCV();
type Mat = InstanceType<typeof cv.Mat>;

/** What its build says of itself: a compiler flag turns SIMD on, a framework is named where there are threads. */
export function describeOpenCv(): string {
  const about = cv.getBuildInformation();
  const version = /OpenCV (\S+)/.exec(about)?.[1];
  const threads = /Parallel framework: *(\S+)/.exec(about)?.[1];
  return `OpenCV ${version}, SIMD ${about.includes('-msimd128') ? 'on' : 'off'}, threads ${threads}`;
}

/** Runs work on matrices and frees them all. */
function withMats(clock: Clock, work: (own: (mat?: Mat) => Mat) => (Float32Array | Uint8Array)[]) {
  const mats: Mat[] = [];
  clock.start();
  const made = work((mat = new cv.Mat()) => {
    mats.push(mat);
    return mat;
  });
  for (const mat of mats) mat.delete();
  clock.stop();
  return made;
}

function copyIn(clock: Clock, data: Float32Array | Uint8Array, { width, height }: Size): Mat {
  const bytes = data instanceof Uint8Array;
  const mat = new cv.Mat(height, width, bytes ? cv.CV_8UC1 : cv.CV_32FC1);
  clock.copy(() => {
    if (bytes) mat.data.set(data);
    else mat.data32F.set(data);
    return data;
  });
  return mat;
}

function copyOut(clock: Clock, mat: Mat): Float32Array {
  return clock.copy(() => mat.data32F.slice());
}

/** The kernel for enlarging is steeper than Catmull-Rom; for reducing, the mean over the area is what does not alias. */
export function timeResample({ photo, to }: Resample): Candidate {
  const how = photo.width < to.width ? cv.INTER_CUBIC : cv.INTER_AREA;
  return (clock) =>
    withMats(clock, (own) =>
      photo.planes.map((plane) => {
        const target = own();
        cv.resize(own(copyIn(clock, plane, photo)), target, new cv.Size(to.width, to.height), 0, 0, how);
        return copyOut(clock, target);
      }),
    );
}

export function timeGaussian({ photo, radius }: Blur): Candidate {
  return (clock) =>
    withMats(clock, (own) => {
      const target = own();
      const source = own(copyIn(clock, photo.planes[1], photo));
      cv.GaussianBlur(source, target, new cv.Size(0, 0), radius, radius, cv.BORDER_REPLICATE);
      return [copyOut(clock, target)];
    });
}

export function timeBox({ photo, radius }: Blur): Candidate {
  return (clock) =>
    withMats(clock, (own) => {
      const target = own();
      boxMean(own(copyIn(clock, photo.planes[1], photo)), target, radius);
      return [copyOut(clock, target)];
    });
}

/** Beyond the border, the border repeats: the engine's window ends there. */
function boxMean(source: Mat, target: Mat, radius: number): void {
  const side = 2 * radius + 1;
  cv.blur(source, target, new cv.Size(side, side), new cv.Point(-1, -1), cv.BORDER_REPLICATE);
}

/** This build has no ximgproc: the guided filter is put together from matrix operations, at half size too. */
export function timeGuided({ photo, plane, radius, epsilon }: Guided): Candidate {
  const half = new cv.Size(photo.width / 2, photo.height / 2);
  const whole = new cv.Size(photo.width, photo.height);
  return (clock) =>
    withMats(clock, (own) => {
      const mean = (source: Mat) => {
        const target = own();
        boxMean(source, target, Math.round(radius / 2));
        return target;
      };
      const sized = (source: Mat, size: typeof half, how: number) => {
        const target = own();
        cv.resize(source, target, size, 0, 0, how);
        return target;
      };
      const product = (one: Mat, other: Mat) => {
        const target = own();
        cv.multiply(one, other, target);
        return target;
      };
      const less = (one: Mat, other: Mat) => {
        cv.subtract(one, other, one);
        return one;
      };
      const full = photo.planes.map((colour) => own(copyIn(clock, colour, photo)));
      const small = full.map((colour) => sized(colour, half, cv.INTER_AREA));
      const p = sized(own(copyIn(clock, plane, photo)), half, cv.INTER_AREA);
      const means = small.map(mean);
      const meanP = mean(p);
      const covariance = (one: number, other: number) => {
        const value = less(mean(product(small[one]!, small[other]!)), product(means[one]!, means[other]!));
        if (one === other) value.convertTo(value, -1, 1, epsilon);
        return value;
      };
      const withP = small.map((colour, c) => less(mean(product(colour, p)), product(means[c]!, meanP)));
      const [a, b, c] = [covariance(0, 0), covariance(0, 1), covariance(0, 2)];
      const [d, e, f] = [covariance(1, 1), covariance(1, 2), covariance(2, 2)];
      const c00 = less(product(d, f), product(e, e));
      const c01 = less(product(c, e), product(b, f));
      const c02 = less(product(b, e), product(c, d));
      const c11 = less(product(a, f), product(c, c));
      const c12 = less(product(b, c), product(a, e));
      const c22 = less(product(a, d), product(b, b));
      const weighed = (x: Mat, y: Mat, z: Mat, [u, v, w]: readonly Mat[]) => {
        const sum = product(x, u!);
        cv.add(sum, product(y, v!), sum);
        cv.add(sum, product(z, w!), sum);
        return sum;
      };
      const determinant = weighed(a, b, c, [c00, c01, c02]);
      const solved = [
        weighed(c00, c01, c02, withP),
        weighed(c01, c11, c12, withP),
        weighed(c02, c12, c22, withP),
      ];
      for (const value of solved) cv.divide(value, determinant, value);
      const offset = less(own(meanP.clone()), weighed(solved[0]!, solved[1]!, solved[2]!, means));
      const [x, y, z, rest] = [...solved, offset].map((value) => sized(mean(value), whole, cv.INTER_LINEAR));
      const sum = weighed(x!, y!, z!, full);
      cv.add(sum, rest!, sum);
      cv.threshold(sum, sum, 1, 0, cv.THRESH_TRUNC);
      cv.threshold(sum, sum, 0, 0, cv.THRESH_TOZERO);
      return [copyOut(clock, sum)];
    });
}

function convertColour({ planes, ...size }: Photo, code: number): Candidate {
  return (clock) =>
    withMats(clock, (own) => {
      const channels = new cv.MatVector();
      for (const plane of planes) channels.push_back(own(copyIn(clock, plane, size)));
      const [picture, target] = [own(), own()];
      cv.merge(channels, picture);
      cv.cvtColor(picture, target, code);
      const parts = new cv.MatVector();
      cv.split(target, parts);
      const made = [0, 1, 2].map((c) => copyOut(clock, own(parts.get(c))));
      channels.delete();
      parts.delete();
      return made;
    });
}

export function timeToLab(photo: Photo): Candidate {
  return convertColour(photo, cv.COLOR_RGB2Lab);
}

export function timeFromLab(lab: Photo): Candidate {
  return convertColour(lab, cv.COLOR_Lab2RGB);
}

export function timeRemap({ photo, to, x, y }: Remap): Candidate {
  return (clock) =>
    withMats(clock, (own) => {
      const mapX = own(copyIn(clock, x, to));
      const mapY = own(copyIn(clock, y, to));
      return photo.planes.map((plane) => {
        const target = own();
        const source = own(copyIn(clock, plane, photo));
        cv.remap(source, target, mapX, mapY, cv.INTER_CUBIC, cv.BORDER_REPLICATE);
        return copyOut(clock, target);
      });
    });
}

/** The lattice is drawn out to a place for every pixel first. The layer stays in OpenCV's memory for all frames. */
export function timeLayerRemap({ layer, density, to, step, columns, rows, x, y }: LayerRemap): Candidate {
  const layers = layer.planes.map((plane, p) => {
    const reduction = p === 0 ? 1 : 2;
    const mat = new cv.Mat(layer.height / reduction, layer.width / reduction, cv.CV_8UC1);
    mat.data.set(plane);
    return mat;
  });
  return (clock) =>
    withMats(clock, (own) => {
      const nodes = { width: columns, height: rows };
      const [nodesX, nodesY] = [own(copyIn(clock, x, nodes)), own(copyIn(clock, y, nodes))];
      return layers.map((source, p) => {
        const reduction = p === 0 ? 1 : 2;
        const size = new cv.Size(to.width / reduction, to.height / reduction);
        const share = reduction / step;
        const through = own(cv.matFromArray(2, 3, cv.CV_64FC1, [share, 0, 0, 0, share, 0]));
        const how = cv.INTER_LINEAR + cv.WARP_INVERSE_MAP;
        const placesOf = (values: Mat, shift: number) => {
          const places = own();
          cv.warpAffine(values, places, through, size, how, cv.BORDER_REPLICATE);
          places.convertTo(places, -1, density / reduction, shift);
          return places;
        };
        const placesX = placesOf(nodesX, (0.5 * density - 0.5) / reduction);
        const placesY = placesOf(nodesY, 0.5 * density - 0.5);
        const target = own();
        cv.remap(source, target, placesX, placesY, cv.INTER_LINEAR, cv.BORDER_REPLICATE);
        return clock.copy(() => target.data.slice());
      });
    });
}
