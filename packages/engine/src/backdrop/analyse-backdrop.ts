import type { Ratio } from '@guise/contract/common.ts';
import { canvasSizes, type Size } from '@guise/contract/families/canvas.ts';
import { cropHeight, type OwnScene, type SceneCrop, sceneLimits } from '@guise/contract/scenes/own-scenes.ts';
import sharp from 'sharp';
import { linearFromBytes, linearToSrgb, luminance } from '../pixels/colour.ts';
import { planeOf } from '../pixels/plane.ts';
import { clamp } from '../pixels/scalar.ts';
import { cannotMake } from '../runtime/render-error.ts';
import { findRows } from './find-horizon.ts';
import { findLight } from './find-light.ts';

/** What was found in a backdrop, and what its designer should know. */
export interface BackdropAnalysis extends Size {
  found: OwnScene['found'];
  warnings: string[];
}

/** The width that a backdrop is looked at in. */
const analysedWidth = 360;

/** Where the horizon should be in pictures: eyes of people at a third and a bit. */
const wantedHorizon = 0.38;

const usualFace = 0.165;

/** Finds out how people would stand in a backdrop. Refuses one that is too small. */
export async function analyseBackdrop(file: string): Promise<BackdropAnalysis> {
  const { width, height } = await sharp(file).metadata();
  if (Math.min(width, height) < sceneLimits.leastSide) {
    throw cannotMake(
      `The backdrop has ${width} × ${height} pixels, which is too few: send at least ${sceneLimits.leastSide} on the shorter side.`,
    );
  }
  const { data, info } = await sharp(file)
    .resize({ width: analysedWidth, kernel: 'cubic' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const colour = linearFromBytes(data, info.channels);
  const [red, green, blue] = colour;
  const grey = planeOf(
    red.map((value, i) => linearToSrgb(luminance(value, green[i]!, blue[i]!))),
    info,
  );
  const rows = findRows(grey);
  const backdrop = { width, height };
  const crops = proposeCrops(backdrop, rows.horizon, 0.5);
  return {
    ...backdrop,
    found: { ...rows, people: { across: 0.5, face: usualFace }, light: findLight(colour, info), crops },
    warnings: findWarnings(crops, backdrop),
  };
}

/** For each shape the largest part of the backdrop around a column that has the horizon where pictures have it. */
export function proposeCrops(backdrop: Size, horizon: number, across: number): Record<Ratio, SceneCrop> {
  const cropFor = (ratio: Ratio): SceneCrop => {
    const whole = cropHeight({ x: 0, y: 0, width: 1 }, ratio, backdrop);
    // A horizon near a border leaves a smaller crop; more than a tenth of the place is not given up for it.
    const fitting = Math.min(1, 1 / whole);
    const tall = fitting * whole;
    const shrunk = Math.min(
      1,
      horizon / (wantedHorizon * tall),
      (1 - horizon) / ((1 - wantedHorizon) * tall),
    );
    const width = fitting * clamp(shrunk, 0.9, 1);
    const cropTall = width * whole;
    return {
      x: round(clamp(across - width / 2, 0, 1 - width)),
      y: round(clamp(horizon - wantedHorizon * cropTall, 0, Math.max(0, 1 - cropTall))),
      width: Math.floor(width * 10_000) / 10_000,
    };
  };
  return { portrait: cropFor('portrait'), landscape: cropFor('landscape'), square: cropFor('square') };
}

/** More enlargement than this is visibly soft. */
const mostEnlarged = 1.6;

function findWarnings(crops: Record<Ratio, SceneCrop>, backdrop: Size): string[] {
  const isSoft = (ratio: Ratio) =>
    canvasSizes[ratio].width > mostEnlarged * crops[ratio].width * backdrop.width;
  const soft = (Object.keys(crops) as Ratio[]).filter(isSoft);
  if (soft.length === 0) return [];
  return [
    `The backdrop has ${backdrop.width} × ${backdrop.height} pixels: ${soft.join(' and ')} pictures will look soft.`,
  ];
}

const round = (value: number) => Math.round(value * 10_000) / 10_000;
