import type { FaceWarning, TemplateCheck } from '@guise/contract/definition-checks.ts';
import { canvasSizes } from '@guise/contract/families/canvas.ts';
import sharp from 'sharp';
import type { Face } from './faces/face.ts';
import { type FindOptions, findFaces, withoutBystanders } from './faces/faces.ts';
import { findProblems, type PhotoProblem } from './faces/photo-problems.ts';
import { readPhoto } from './pixels/photo.ts';
import type { Picture } from './pixels/picture.ts';
import { cannotMake } from './runtime/render-error.ts';
import { templateWarnings } from './swap/mesh/gate.ts';

/**
 * What can be told of a photo before it becomes a template: where its faces are, and which of them cannot be replaced.
 * An operator's network replaces faces that the mesh cannot.
 */
export async function checkTemplate(file: string, byMesh = true): Promise<TemplateCheck> {
  const { autoOrient: size } = await sharp(file).metadata();
  const picture = await readPhoto(file);
  const found = await findFaces(picture, { traits: false });
  const ofAll = findProblems(picture, withoutBystanders(found)).flatMap(({ code }) => warningOf[code] ?? []);
  const warningsOf = async (face: Face) => [
    ...new Set([...ofAll, ...(byMesh ? await templateWarnings(picture, face) : [])]),
  ];
  const scale = size.width / picture.width;
  const faces = await Promise.all(
    found
      .toSorted((one, other) => other.height - one.height)
      .map(async (face) => ({
        ...boxOf(face, scale),
        warnings: await warningsOf(face),
      })),
  );
  return { ...size, faces, warnings: sentencesFor(faces, size) };
}

/** What keeps every face of a template from being replaced. */
const warningOf: Partial<Record<PhotoProblem['code'], FaceWarning>> = {
  FACE_TOO_SMALL: 'too small',
  TOO_DARK: 'too dark',
};

const templateFaults: Record<PhotoProblem['code'], string> = {
  NO_FACE: 'shows no face',
  FACE_TOO_SMALL: 'shows a face that is too small',
  TOO_DARK: 'is too dark',
  TOO_MANY_PEOPLE: 'shows too many people',
};

/** The people of a template. What is wrong with it is told as the fault of the filter, not of the guest's photo. */
export async function findTemplatePeople(template: Picture, options: FindOptions): Promise<Face[]> {
  const people = withoutBystanders(await findFaces(template, options));
  const [problem] = findProblems(template, people);
  if (problem)
    throw cannotMake(`The picture of this filter ${templateFaults[problem.code]}. Choose another filter.`);
  return people;
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
