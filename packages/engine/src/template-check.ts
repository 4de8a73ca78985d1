import type { FaceWarning, TemplateCheck } from '@guise/contract/definition-checks.ts';
import { canvasSizes } from '@guise/contract/families/canvas.ts';
import sharp from 'sharp';
import type { Face } from './faces/face.ts';
import { findFaces } from './faces/faces.ts';
import { readPhoto } from './pixels/photo.ts';
import { templateWarnings } from './swap/mesh/gate.ts';

/** What can be told of a photo before it becomes a template: where its faces are, and which of them cannot be replaced. */
export async function checkTemplate(file: string): Promise<TemplateCheck> {
  const { autoOrient: size } = await sharp(file).metadata();
  const picture = await readPhoto(file);
  const found = await findFaces(picture, { traits: false });
  const scale = size.width / picture.width;
  const faces = await Promise.all(
    found
      .toSorted((one, other) => other.height - one.height)
      .map(async (face) => ({ ...boxOf(face, scale), warnings: await templateWarnings(picture, face) })),
  );
  return { ...size, faces, warnings: sentencesFor(faces, size) };
}

/** From the forehead to the chin and from ear to ear, in pixels of the photo, and how it leans. */
function boxOf({ center, width, height, roll }: Face, scale: number) {
  const round = (value: number) => Math.round(value * scale);
  return {
    x: round(center.x - width / 2),
    y: round(center.y - height / 2),
    width: round(width),
    height: round(height),
    lean: Math.round((roll * 1800) / Math.PI) / 10,
  };
}

function sentencesFor(
  faces: readonly { warnings: FaceWarning[] }[],
  size: { width: number; height: number },
): string[] {
  const sentences: string[] = [];
  const good = faces.filter(({ warnings }) => warnings.length === 0).length;
  if (faces.length === 0) {
    sentences.push('There is no face in this picture. Choose one that shows a face from the front.');
  } else if (good === 0) {
    sentences.push(
      'No face of this picture can be replaced. Choose one that shows a face large, whole and from the front.',
    );
  } else if (good < faces.length) {
    sentences.push('Some faces of this picture cannot be replaced.');
  }
  if (faces.length > 1) {
    sentences.push(
      'There are several faces: the one that is most like the guest in age and gender is replaced.',
    );
  }
  const least = canvasSizes.square.width;
  if (Math.min(size.width, size.height) < least) {
    sentences.push(
      `The picture has ${size.width} × ${size.height} pixels. Below ${least} pixels on the shorter side, results are less sharp.`,
    );
  }
  return sentences;
}
