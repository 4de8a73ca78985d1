import sharp, { type Sharp } from 'sharp';
import type { Candidate, Clock } from './clock.ts';
import type { Blur, Photo, Resample } from './operations.ts';

/**
 * libvips by way of sharp. sharp casts every raw picture that is not 8 bits deep to 16 bits before it writes it, so
 * planes go in and come back as integers: what lies outside of 0 to 1 is cut off, and the last bits are lost.
 */

export function describeSharp(): string {
  const { sharp: version, vips } = sharp.versions;
  return `sharp ${version}, libvips ${vips}, SIMD ${sharp.simd() ? 'on' : 'off'}, threads ${sharp.concurrency()}`;
}

function interleave(clock: Clock, planes: readonly Float32Array[]): Uint16Array {
  return clock.copy(() => {
    const channels = planes.length;
    const values = new Uint16Array(planes[0]!.length * channels);
    for (const [c, plane] of planes.entries()) {
      for (let i = 0, at = c; i < plane.length; i++, at += channels) values[at] = plane[i]! * 65535 + 0.5;
    }
    return values;
  });
}

function separatePlanes(clock: Clock, values: Uint16Array | Float32Array, channels: number, scale: number) {
  return Array.from({ length: channels }, (_, c) =>
    clock.copy(() => {
      const plane = new Float32Array(values.length / channels);
      for (let i = 0, at = c; i < plane.length; i++, at += channels) plane[i] = values[at]! * scale;
      return plane;
    }),
  );
}

function timePipeline(
  { width, height }: Photo,
  planes: readonly Float32Array[],
  work: (picture: Sharp) => Sharp,
): Candidate {
  return async (clock) => {
    const channels = planes.length as 1 | 3;
    clock.start();
    const input = sharp(interleave(clock, planes), { raw: { width, height, channels } });
    const bytes = await work(input)
      .toColourspace(channels === 1 ? 'grey16' : 'rgb16')
      .raw({ depth: 'ushort' })
      .toBuffer();
    const values = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
    const made = separatePlanes(clock, values, channels, 1 / 65535);
    clock.stop();
    return made;
  };
}

export function timeResample({ photo, to }: Resample): Candidate {
  return timePipeline(photo, photo.planes, (picture) =>
    picture.resize(to.width, to.height, { kernel: 'cubic', fit: 'fill' }),
  );
}

export function timeGaussian({ photo, radius }: Blur): Candidate {
  // What is left out at the kernel's ends is about what the engine leaves out.
  return timePipeline(photo, [photo.planes[1]], (picture) =>
    picture.blur({ sigma: radius, precision: 'float', minAmplitude: 0.01 }),
  );
}

/** sharp has no mean over a box but the convolution with a square of ones. */
export function timeBox({ photo, radius }: Blur): Candidate {
  const side = 2 * radius + 1;
  const kernel = new Array<number>(side * side).fill(1);
  return timePipeline(photo, [photo.planes[1]], (picture) =>
    picture.convolve({ width: side, height: side, kernel, scale: side * side }),
  );
}

/** There is no way back: sharp takes no raw Lab. */
export function timeToLab({ width, height, planes }: Photo): Candidate {
  return async (clock) => {
    clock.start();
    const input = sharp(interleave(clock, planes), { raw: { width, height, channels: 3 } });
    const bytes = await input.toColourspace('lab').raw({ depth: 'float' }).toBuffer();
    const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const made = separatePlanes(clock, values, 3, 1);
    clock.stop();
    return made;
  };
}
