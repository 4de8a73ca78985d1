import { type BytePlane, type Frame, planesOf } from '../frame.ts';
import type { Lattice } from '../layers/layer-warp.ts';

/** Values at the nodes of a lattice, 0 to 1. */
export type Weights = Float32Array;

/** Kinds of cells, in the words of `Cover`: where the weight is 0, between, and 1 all over. */
export function kindsOf(
  { columns, rows }: Lattice,
  weights: Weights,
  kinds: Uint8Array,
  turned: Uint8Array,
): void {
  for (let row = 0, cell = 0; row < rows - 1; row++) {
    for (let column = 0; column < columns - 1; column++, cell++) {
      const n = row * columns + column;
      const m = n + columns;
      const sum = weights[n]! + weights[n + 1]! + weights[m]! + weights[m + 1]!;
      kinds[cell] = sum < 0.004 ? 0 : sum > 3.996 ? 2 : 1;
      turned[cell] = 2 - kinds[cell]!;
    }
  }
}

/** Lays `over` onto the frame, as much of it at every node as `weights` says. */
export function mixFrames(
  frame: Frame,
  over: Frame,
  lattice: Lattice,
  weights: Weights,
  kinds: Uint8Array,
): void {
  const planes = planesOf(over);
  for (const [i, plane] of planesOf(frame).entries())
    mixPlane(plane, planes[i]!.data, lattice, weights, kinds);
}

/** Brings a colour over the frame, as much at every node as `weights` says. */
export function tintFrame(
  frame: Frame,
  colour: readonly [number, number, number],
  lattice: Lattice,
  weights: Weights,
  kinds: Uint8Array,
): void {
  for (const [i, plane] of planesOf(frame).entries()) mixPlane(plane, colour[i]!, lattice, weights, kinds);
}

function mixPlane(
  { data: target, width, height, reduction }: BytePlane,
  over: Uint8Array | number,
  { step, columns, rows }: Lattice,
  weights: Weights,
  kinds: Uint8Array,
): void {
  const side = step / reduction;
  const share = 65536 / side;
  const flat = typeof over === 'number';
  for (let row = 0; row < rows - 1; row++) {
    const fromRow = row * side;
    const toRow = Math.min(height, fromRow + side);
    for (let column = 0; column < columns - 1; column++) {
      const kind = kinds[row * (columns - 1) + column]!;
      if (kind === 0) continue;
      const n = row * columns + column;
      const m = n + columns;
      const fromColumn = column * side;
      const toColumn = Math.min(width, fromColumn + side);
      const leftStep = (weights[m]! - weights[n]!) * share;
      const rightStep = (weights[m + 1]! - weights[n + 1]!) * share;
      let left = weights[n]! * 65536;
      let right = weights[n + 1]! * 65536;
      for (let y = fromRow; y < toRow; y++, left += leftStep, right += rightStep) {
        const from = y * width + fromColumn;
        const to = y * width + toColumn;
        if (!flat && kind === 2) {
          for (let i = from; i < to; i++) target[i] = over[i]!;
          continue;
        }
        const dw = ((right - left) / side) | 0;
        let w = left | 0;
        if (flat) {
          for (let i = from; i < to; i++, w += dw) {
            target[i] = target[i]! + (((over - target[i]!) * w + 32768) >> 16);
          }
        } else {
          for (let i = from; i < to; i++, w += dw) {
            target[i] = target[i]! + (((over[i]! - target[i]!) * w + 32768) >> 16);
          }
        }
      }
    }
  }
}
