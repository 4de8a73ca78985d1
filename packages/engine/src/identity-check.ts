import { chooseFace } from './faces/choose-face.ts';
import type { Face } from './faces/face.ts';
import { findFaces, withoutBystanders } from './faces/faces.ts';
import { compareFeatures, type FaceFeatures, readFeatures } from './faces/same-person.ts';
import { faceFeatures } from './models/models.ts';
import { session } from './models/sessions.ts';
import { readPhoto } from './pixels/photo.ts';
import type { Picture } from './pixels/picture.ts';

/** A picture that a generator made of photos. */
export interface GeneratedPicture {
  photos: readonly string[];
  picture: string;
  /** Whether the picture is of one guest; then who is meant, of several in the photo. */
  guest: { gender: number | undefined } | null;
}

/** How the people of the photos came out in the picture. */
export interface IdentityCheck {
  /** How like the photo each of them is, from 0 to 1, the largest face of the photos first; null for who is not there. */
  likeness: (number | null)[];
  /** Faces about as large as theirs that are in none of the photos. */
  strangers: number;
}

/** A face smaller than this share of the smallest guest's is somebody in the background, or in a picture on the wall. */
const strangerShare = 0.6;

/** Looks for the people of the photos in a picture that was generated of them. */
export async function checkIdentity(
  { photos, picture, guest }: GeneratedPicture,
  cacheDir: string | null = null,
): Promise<IdentityCheck> {
  await session(faceFeatures, cacheDir);
  const inPhotos: Seen[] = [];
  for (const photo of photos) inPhotos.push(...(await seePeople(await readPhoto(photo))));
  const people = guest && inPhotos.length > 0 ? [chosenOf(inPhotos, guest.gender)] : inPhotos;
  const inPicture = people.length === 0 ? [] : await seePeople(await readPhoto(picture));
  const matches = matchFaces(people, inPicture);
  const least = strangerShare * Math.min(...matches.flatMap((match) => match?.face.face.height ?? []));
  const large = inPicture.filter(({ face }) => face.height >= least);
  return {
    likeness: people
      .map((person, i) => ({ person, match: matches[i] ?? null }))
      .toSorted((a, b) => b.person.face.height - a.person.face.height)
      .map(({ match }) => match && Math.max(0, match.likeness)),
    strangers: Math.max(0, large.length - inPhotos.length),
  };
}

/** A face with what is characteristic of it. */
interface Seen {
  face: Face;
  features: FaceFeatures;
}

async function seePeople(picture: Picture): Promise<Seen[]> {
  const faces = withoutBystanders(await findFaces(picture));
  return Promise.all(faces.map(async (face) => ({ face, features: await readFeatures(picture, face) })));
}

function chosenOf(seen: readonly Seen[], gender: number | undefined): Seen {
  const chosen = chooseFace(
    seen.map(({ face }) => face),
    gender,
  );
  return seen.find(({ face }) => face === chosen)!;
}

interface Match {
  face: Seen;
  likeness: number;
}

/** Each person with a face of the picture, the pair that is most alike first, each face once. */
function matchFaces(people: readonly Seen[], faces: readonly Seen[]): (Match | null)[] {
  const matches = people.map((): Match | null => null);
  const pairs = people
    .flatMap(({ features }, person) =>
      faces.map((face) => ({ person, face, likeness: compareFeatures(features, face.features) })),
    )
    .toSorted((a, b) => b.likeness - a.likeness);
  const taken = new Set<Seen>();
  for (const { person, face, likeness } of pairs) {
    if (matches[person] !== null || taken.has(face)) continue;
    matches[person] = { face, likeness };
    taken.add(face);
  }
  return matches;
}
