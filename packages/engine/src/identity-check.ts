import { chooseFace } from './faces/choose-face.ts';
import type { Face } from './faces/face.ts';
import { findFaces, withoutBystanders } from './faces/faces.ts';
import { compareFeatures, type FaceFeatures, readFeatures } from './faces/same-person.ts';
import { faceFeatures } from './models/models.ts';
import { session } from './models/sessions.ts';
import { readPhoto } from './pixels/photo.ts';
import type { Picture } from './pixels/picture.ts';

/** Photos that a generator makes a picture of. */
export interface GuestPhotos {
  photos: readonly string[];
  /** Whether the picture is of one guest; then who is meant, of several in the photo. */
  guest: { gender: number | undefined } | null;
}

/** A picture that a generator made of photos. */
export interface GeneratedPicture extends GuestPhotos {
  picture: string;
  /** Who is in the photos, where they were looked at before. */
  people?: PhotoPeople;
}

/** Who is to be in a picture. */
export interface PhotoPeople {
  guests: SeenFace[];
  /** All faces of the photos, those of the guests included. */
  faces: number;
}

/** A face, by how large it is and what is characteristic of it. */
export interface SeenFace {
  height: number;
  features: FaceFeatures;
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
  { picture, people, ...photos }: GeneratedPicture,
  cacheDir: string | null = null,
): Promise<IdentityCheck> {
  const { guests, faces } = people ?? (await findGuests(photos, cacheDir));
  if (guests.length === 0) return { likeness: [], strangers: 0 };
  await session(faceFeatures, cacheDir);
  const made = await readPhoto(picture);
  const inPicture = await seeFaces(made, withoutBystanders(await findFaces(made, facesAlone)));
  const matches = matchFaces(guests, inPicture);
  const least = strangerShare * Math.min(...matches.flatMap((match) => match?.face.height ?? []));
  const large = inPicture.filter(({ height }) => height >= least);
  return {
    likeness: guests
      .map((person, i) => ({ person, match: matches[i] ?? null }))
      .toSorted((a, b) => b.person.height - a.person.height)
      .map(({ match }) => match && Math.max(0, match.likeness)),
    strangers: Math.max(0, large.length - faces),
  };
}

/** Where faces are is all that is asked of them. */
const facesAlone = { traits: false, irises: false } as const;

/** Looks at the photos, which can be done before a picture of them is there. */
export async function findGuests(
  { photos, guest }: GuestPhotos,
  cacheDir: string | null = null,
): Promise<PhotoPeople> {
  await session(faceFeatures, cacheDir);
  const all: SeenFace[] = [];
  const faces: Face[] = [];
  for (const photo of photos) {
    const picture = await readPhoto(photo);
    // Only one guest of several is chosen, by what a network guesses of them.
    const found = withoutBystanders(await findFaces(picture, { ...facesAlone, traits: guest !== null }));
    all.push(...(await seeFaces(picture, found)));
    faces.push(...found);
  }
  const isChosen = guest !== null && faces.length > 0;
  const guests = isChosen ? [all[faces.indexOf(chooseFace(faces, guest.gender))]!] : all;
  return { guests, faces: faces.length };
}

function seeFaces(picture: Picture, faces: readonly Face[]): Promise<SeenFace[]> {
  return Promise.all(
    faces.map(async (face) => ({ height: face.height, features: await readFeatures(picture, face) })),
  );
}

interface Match {
  face: SeenFace;
  likeness: number;
}

/** Each person with a face of the picture, the pair that is most alike first, each face once. */
function matchFaces(people: readonly SeenFace[], faces: readonly SeenFace[]): (Match | null)[] {
  const matches = people.map((): Match | null => null);
  const pairs = people
    .flatMap(({ features }, person) =>
      faces.map((face) => ({ person, face, likeness: compareFeatures(features, face.features) })),
    )
    .toSorted((a, b) => b.likeness - a.likeness);
  const taken = new Set<SeenFace>();
  for (const { person, face, likeness } of pairs) {
    if (matches[person] !== null || taken.has(face)) continue;
    matches[person] = { face, likeness };
    taken.add(face);
  }
  return matches;
}
