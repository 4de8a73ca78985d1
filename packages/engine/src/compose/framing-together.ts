import { medianHeight, pointOf } from '../faces/face-outline.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import type { Placement, Size } from '../pixels/plane.ts';
import { cannotMake } from '../runtime/render-error.ts';
import type { Slot } from './framing.ts';

/** Distance of neighbours in shoulder widths: they overlap a little, as in photos of groups. */
const spacing = 0.86;

interface Member {
  photo: PeoplePhoto;
  scale: number;
  /** Photo columns of the shoulders. */
  left: number;
  right: number;
  centerY: number;
}

/**
 * Places the people of several photos side by side in the photos' order: faces of one size, eyes on one line (every
 * second photo a little higher), and every body reaching the canvas' lower border.
 */
export function frameTogether(photos: readonly PeoplePhoto[], canvas: Size, slot: Slot): Placement[] {
  if (photos.length === 0) return [];
  const wide = canvas.width > canvas.height ? 1.6 : canvas.width === canvas.height ? 1.3 : 1;
  const faceHeight = slot.face * wide * canvas.height;
  const members = photos.map((photo) => memberOf(photo, faceHeight));
  const span = () =>
    members.reduce((sum, { left, right, scale }, i) => sum + (right - left) * scale * (i ? spacing : 1), 0);
  const fit = Math.min(1.25, (0.95 * canvas.width) / span());
  for (const member of members) member.scale *= fit;

  let eyes = 0.36 * canvas.height;
  for (const { photo, scale, centerY } of members) {
    eyes = Math.max(eyes, canvas.height - (lastRow(photo) - centerY) * scale);
  }
  if (eyes > 0.8 * canvas.height) {
    throw cannotMake(
      'One of the photos shows too little of the person. Step back from the camera and try again.',
    );
  }
  let x = (canvas.width - span()) / 2;
  return members.map(({ photo, scale, left, right, centerY }, i) => {
    const width = (right - left) * scale;
    if (i > 0) x -= width * (1 - spacing);
    const placedX = x - left * scale;
    x += width;
    const raised = i % 2 === 1 ? 0.12 * faceHeight * fit : 0;
    const y = Math.max(eyes - raised - centerY * scale, canvas.height - lastRow(photo) * scale);
    return { scale, x: placedX, y };
  });
}

function memberOf(photo: PeoplePhoto, faceHeight: number): Member {
  const { faces, matte, silhouette } = photo;
  const unit = medianHeight(faces);
  const chin = Math.max(...faces.map((face) => pointOf(face, 152).y));
  const row = Math.min(silhouette.height - 1, Math.round(chin + 0.9 * unit));
  let left = silhouette.right;
  let right = silhouette.left;
  const matteRow = Math.min(matte.height - 1, Math.floor(row / matte.factor)) * matte.width;
  for (let x = silhouette.left; x < silhouette.right; x += matte.factor) {
    if (matte.data[matteRow + Math.floor(x / matte.factor)]! <= 0.5) continue;
    left = Math.min(left, x);
    right = Math.max(right, x);
  }
  for (const face of faces) {
    left = Math.min(left, face.center.x - 0.6 * face.width);
    right = Math.max(right, face.center.x + 0.6 * face.width);
  }
  const centerY = faces.reduce((sum, face) => sum + face.center.y, 0) / faces.length;
  return { photo, scale: faceHeight / unit, left, right, centerY };
}

function lastRow({ silhouette }: PeoplePhoto): number {
  const { cut, height, bottom, sureTo = Infinity } = silhouette;
  return Math.min(cut.bottom.share > 0.02 ? height - 1 : bottom, sureTo);
}
