import type { Ratio } from '@guise/contract/common.ts';
import { cropHeight, type OwnScene, type SceneSettings } from '@guise/contract/scenes/own-scenes.ts';

/** A scene that is being changed. */
export interface EditedScene {
  settings: SceneSettings;
  /** The painted foreground as a PNG in base64; null where it was removed, undefined where it is as it was. */
  mask?: string | null | undefined;
}

/** What is sent to save or try it. */
export function changeOf({ settings, mask }: EditedScene) {
  return {
    ...settings,
    ...(mask !== undefined && { foreground: mask === null ? null : { mask } }),
  };
}

/** The crop of a shape with its height, in shares of the backdrop. */
export function cropBox({ settings }: EditedScene, ratio: Ratio, scene: OwnScene) {
  const crop = settings.crops[ratio];
  return { ...crop, height: cropHeight(crop, ratio, scene) };
}

export const clamp = (value: number, from: number, to: number) => Math.max(from, Math.min(to, value));

/** Changes a crop and keeps it inside the backdrop. */
export function moveCrop(
  edited: EditedScene,
  ratio: Ratio,
  scene: OwnScene,
  change: Partial<SceneSettings['crops'][Ratio]>,
): EditedScene {
  const wanted = { ...edited.settings.crops[ratio], ...change };
  const whole = cropHeight({ x: 0, y: 0, width: 1 }, ratio, scene);
  const width = clamp(wanted.width, 0.1, Math.min(1, 0.9999 / whole));
  const crop = {
    width,
    x: clamp(wanted.x, 0, 1 - width),
    y: clamp(wanted.y, 0, Math.max(0, 1 - width * whole)),
  };
  const { settings } = edited;
  return { ...edited, settings: { ...settings, crops: { ...settings.crops, [ratio]: crop } } };
}

/** A colour of linear light as `#rrggbb`, and back. */
export const hexOf = (colour: readonly number[]) =>
  `#${colour
    .map((value) => Math.round(255 * clamp(value, 0, 1) ** (1 / 2.2)))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
export const colourOf = (hex: string) =>
  [1, 3, 5].map((at) => {
    const value = (Number.parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2;
    return Math.round(value * 1000) / 1000;
  }) as [number, number, number];
