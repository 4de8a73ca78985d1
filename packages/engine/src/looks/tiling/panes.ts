import type { LabPicture } from '../../pixels/lab.ts';
import { mapToFloats } from '../../pixels/plane.ts';
import { findRegions } from '../../pixels/regions.ts';
import { clamp, mix } from '../../pixels/scalar.ts';
import { type ClassMap, maskClass } from '../subject/people-classes.ts';
import type { Subject } from '../subject/subject.ts';
import type { LabelMap } from './label-map.ts';
import { scatterPoints } from './scatter.ts';
import { findSuperpixels, mergeSmallParts } from './superpixels.ts';

export interface Panes extends LabelMap {
  count: number;
}

/** The subject's picture in Lab, reduced by a factor. */
export interface ReducedLab extends LabPicture {
  factor: number;
}

/** Cuts a picture into panes along its colours, each face in one pane: a lead line through an eye spoils the window. */
export function cutPanes(subject: Subject, lab: ReducedLab): Panes {
  const { unit, people, classes, faces, seed } = subject;
  const skin = classes && maskClass(classes, 'skin', lab).data;
  const sizeAt = (x: number, y: number) => {
    const size = mix(0.42, 0.24, people[pixelAt(subject, lab.factor, x, y)]!);
    // An arm is a few panes long, not a row of beads.
    const bare = skin ? clamp(skin[(y | 0) * lab.width + (x | 0)]!, 0, 1) : 0;
    return (unit * mix(size, 0.42, bare)) / lab.factor;
  };
  const smallest = (unit * 0.24) / lab.factor;
  const centers = scatterPoints(lab, {
    smallest,
    distanceAt: (i) => sizeAt(i % lab.width, (i / lab.width) | 0) * 0.95,
    seed,
  });
  const sizes = Float32Array.from({ length: centers.count }, (_, k) => sizeAt(centers.x[k]!, centers.y[k]!));
  const panes = findSuperpixels(partClasses(lab, classes), { centers, sizes }, 6);
  labelFaces(panes, subject, lab, centers.count);
  for (const index of faces.keys()) fillEnclosed(panes, centers.count + index);
  return {
    ...mergeSmallParts(panes, smallest * smallest * 0.3),
    count: centers.count + faces.length,
  };
}

/** How far apart in colour skin, clothes, hair and background are moved before they are cut. */
const classDistance = 55;

/** The picture with its classes moved apart, so that no pane is half arm and half wall. */
function partClasses(lab: ReducedLab, classes: ClassMap | null): ReducedLab {
  if (!classes) return lab;
  const [hair, skin, clothes] = (['hair', 'skin', 'clothes'] as const).map(
    (name) => maskClass(classes, name, lab).data,
  );
  const moved = { ...lab, lightness: lab.lightness.slice(), a: lab.a.slice(), b: lab.b.slice() };
  for (let i = 0; i < moved.a.length; i++) {
    moved.lightness[i]! += classDistance * hair![i]!;
    moved.a[i]! += classDistance * skin![i]!;
    moved.b[i]! -= classDistance * clothes![i]!;
  }
  return moved;
}

/** The pixel of the subject at a place of the reduced picture. */
function pixelAt({ width, face }: Subject, factor: number, x: number, y: number): number {
  return Math.min(face.length - 1, ((y * factor) | 0) * width + Math.min(width - 1, (x * factor) | 0));
}

/** Gives each face a label of its own, from `firstLabel` on. */
function labelFaces({ labels }: LabelMap, subject: Subject, lab: ReducedLab, firstLabel: number): void {
  const { face, faces } = subject;
  const { width, factor, lightness, a, b } = lab;
  const skinPixels = faces.map(({ center }) =>
    clamp(Math.round(center.y / factor) * width + Math.round(center.x / factor), 0, labels.length - 1),
  );
  for (let i = 0; i < labels.length; i++) {
    const x = i % width;
    const y = (i / width) | 0;
    let nearest = 0;
    let distance = Number.POSITIVE_INFINITY;
    for (const [index, { center, height }] of faces.entries()) {
      const dx = x * factor - center.x;
      const dy = y * factor - center.y;
      const faceHeights = Math.sqrt(dx * dx + dy * dy) / height;
      if (faceHeights < distance) {
        distance = faceHeights;
        nearest = index;
      }
    }
    const skin = skinPixels[nearest];
    if (skin === undefined || distance > 0.85) continue;
    // The face mesh ends below the hairline; the forehead above it is found by the colour of the skin.
    const difference = Math.hypot(
      (lightness[i]! - lightness[skin]!) * 0.7,
      a[i]! - a[skin]!,
      b[i]! - b[skin]!,
    );
    const isForehead = y * factor < faces[nearest]!.center.y && distance < 0.78 && difference < 17;
    if (isForehead || face[pixelAt(subject, factor, x, y)]! >= 0.5) labels[i] = firstLabel + nearest;
  }
}

/** Gives a pane whatever it encloses, in place: a highlight on a forehead would get a ring of lead around it. */
function fillEnclosed({ width, height, labels }: LabelMap, pane: number): void {
  const outside = mapToFloats(labels, (label) => (label === pane ? 0 : 1));
  const regions = findRegions({ data: outside, width, height }, 0.5, 'above');
  const region = regions.labels;
  const reachesBorder = new Uint8Array(regions.areas.length);
  for (let x = 0; x < width; x++)
    reachesBorder[region[x]!] = reachesBorder[region[region.length - 1 - x]!] = 1;
  for (let i = 0; i < region.length; i += width)
    reachesBorder[region[i]!] = reachesBorder[region[i + width - 1]!] = 1;
  for (let i = 0; i < labels.length; i++) if (reachesBorder[region[i]!] === 0) labels[i] = pane;
}
