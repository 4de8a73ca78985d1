import type { Family } from '@guise/contract/families/families.ts';
import {
  isPhotoList,
  type PhotoField,
  photoFields,
  unusedFieldsOf,
} from '@guise/contract/families/run-fields.ts';
import type { FastifyRequest } from 'fastify';
import { AppError, invalidField } from '../../errors.ts';
import { digestImage } from '../../media/digest-image.ts';
import { decodeImageText, isImageUrl } from '../../media/image-input.ts';
import type { Uploads } from '../../media/upload.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Fields of a run's body that its family does not use; null where there is no run. */
    unusedFields: readonly string[] | null;
  }
}

type Body = Record<string, unknown>;

/** Takes the photo of a run under any of its names, before the body is checked, and notes what nobody uses. */
export async function prepareRun(family: Family, request: FastifyRequest): Promise<void> {
  const { body, received } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const fields = body as Body;
  request.unusedFields = unusedFieldsOf(family, fields);
  await received?.use(() => placePhoto(family, fields, received.uploads));
}

/** A photo of the body: the text that stands for it, and the field that it came in. */
interface GivenPhoto {
  field: PhotoField;
  text: string;
}

/** Puts the photo where the family looks for it. Throws where the body has several that differ. */
async function placePhoto(family: Family, body: Body, uploads: Uploads): Promise<void> {
  const own = family.images[0]!;
  const isOwn = (field: string) => (own as readonly string[]).includes(field);
  const all = photoFields.flatMap((field) => photoIn(body, field, isOwn(field)));
  const filled = all.filter(({ text }) => text.trim() !== '');
  await assertSame(filled, uploads);
  const [given] = filled.length > 0 ? filled : all;
  if (!given || filled.some(({ field }) => isOwn(field))) return;
  if (own.some((field) => isGiven(body[field]) && typeof body[field] !== 'string')) return;
  body[own[0]!] = isPhotoList(own[0]!) ? [given.text] : given.text;
}

const isGiven = (value: unknown) =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

/** The photo in a field, if it has one. What is wrong with a field of the family itself is said by its schema. */
function photoIn(body: Body, field: PhotoField, isOwn: boolean): GivenPhoto[] {
  const value = body[field];
  const first = isPhotoList(field) && Array.isArray(value) ? value[0] : value;
  if (typeof first === 'string') return [{ field, text: first }];
  if (isOwn || !isGiven(first)) return [];
  throw invalidField(field, 'must be a base64 image, a data URI or a URL');
}

async function assertSame(photos: readonly GivenPhoto[], uploads: Uploads): Promise<void> {
  const [first, ...others] = photos;
  for (const other of others) {
    if (other.text === first!.text) continue;
    if ((await digestOf(other.text, uploads)) === (await digestOf(first!.text, uploads))) continue;
    const message = `holds another photo than ${first!.field}`;
    throw new AppError('VALIDATION_ERROR', `${other.field} ${message}. Send one of them.`, {
      fields: [{ path: other.field, message }],
    });
  }
}

/** Of the file that a text stands for, or of the text where it is a URL or no image. */
function digestOf(text: string, uploads: Uploads): Promise<string> {
  return digestImage(uploads.get(text)?.bytes ?? bytesOf(text));
}

function bytesOf(text: string): Buffer {
  try {
    return isImageUrl(text) ? Buffer.from(text.trim()) : decodeImageText(text.trim());
  } catch {
    return Buffer.from(text);
  }
}
