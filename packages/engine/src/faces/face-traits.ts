import { faceRes } from '../models/models.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Face } from './face.ts';
import { cropForModel, squareAround } from './face-mesh.ts';
import { runFaceModel } from './face-models.ts';

/** Guests below this age are children when a run asks for a boy or a girl. */
const adultFrom = 15;

export type Traits = Pick<Face, 'ageGroup' | 'gender'>;

/** Estimates age group and gender of a face. */
export async function readTraits(picture: Picture, points: Float32Array): Promise<Traits> {
  const outputs = await runFaceModel(faceRes, cropForModel(picture, squareAround(points), faceRes));
  const male = outputs.find((output) => output.shape[1] === 1)!.data[0]!;
  const ages = outputs.find((output) => output.shape[1] === 100)!.data;
  let age = 0;
  for (let year = 0; year < ages.length; year++) age += year * ages[year]!;
  return { ageGroup: age < adultFrom ? 'child' : 'adult', gender: male > 0.5 ? 'male' : 'female' };
}
