import { rowsOf } from '../runtime/parallel-rows.ts';
import { allocatePlane, type Plane, type Size } from './plane.ts';

const forRows = rowsOf(import.meta.url);

/** Red, green and blue of one size: display-referred sRGB or linear light, as the name beside them says. */
export type Planes = readonly [Float32Array, Float32Array, Float32Array];

/** A picture while it is worked on: three planes, row by row, display-referred sRGB from 0 to 1. */
export interface Picture extends Size {
  planes: Planes;
}

/** A picture whose every value is yet to be written. */
export function allocatePicture(size: Size): Picture {
  const channel = () => allocatePlane(size).data;
  return { width: size.width, height: size.height, planes: [channel(), channel(), channel()] };
}

export function channelOf({ width, height, planes }: Picture, index: 0 | 1 | 2): Plane {
  return { width, height, data: planes[index] };
}

export function channelsOf(picture: Picture): [Plane, Plane, Plane] {
  return [channelOf(picture, 0), channelOf(picture, 1), channelOf(picture, 2)];
}

/** What the function makes of each plane. */
export function mapPlanes(
  [red, green, blue]: Planes,
  change: (plane: Float32Array, channel: 0 | 1 | 2) => Float32Array,
): Planes {
  return [change(red, 0), change(green, 1), change(blue, 2)];
}

/** The picture of what the function makes of each channel. */
export function mapChannels(picture: Picture, change: (channel: Plane) => Plane): Picture {
  const [red, green, blue] = channelsOf(picture);
  const { width, height, data } = change(red);
  return { width, height, planes: [data, change(green).data, change(blue).data] };
}

/** Luma of display values (BT.601): how light a colour looks. */
export function lumaOf(red: number, green: number, blue: number): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** The luma of each pixel, 0 to 1. */
export function lumaPlane({ width, height, planes }: Picture): Plane {
  const plane = allocatePlane({ width, height });
  forRows(lumaRows, height, { width, planes }, { data: plane.data });
  return plane;
}

export function lumaRows(
  { width, planes }: Pick<Picture, 'width' | 'planes'>,
  { data }: { data: Float32Array },
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  for (let i = from * width; i < to * width; i++) data[i] = lumaOf(red[i]!, green[i]!, blue[i]!);
}
