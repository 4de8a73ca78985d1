import type { z } from 'zod';
import type { CatalogName, Mode } from '../catalogs.ts';
import type { CodedProblem } from '../error-codes.ts';
import type { StatusWord } from '../jobs.ts';
import type { Price } from './prices.ts';

/** The fields of run requests that hold photos, and those that name a filter. */
export type ImageField =
  | 'base64'
  | 'image'
  | 'images'
  | 'input_image'
  | 'input_images'
  | 'prompt_image'
  | 'first_frame'
  | 'last_frame';
export type FilterField = 'filter_id' | 'style_id';
type IgnoredField = 'overlay';

/**
 * A kind of job as data. The run and status routes, the OpenAPI document and the worker all come from these rows:
 * a new family is a new row, its schemas and an engine that makes it.
 */
export interface FamilyRow<Name, Output, Body, Params, Filters, Images> {
  name: Name;
  title: string;
  run: string;
  /** Families may share a status path. */
  status: string;
  /** Whether a status call waits for the end of the job unless it says otherwise; alike for all that share a path. */
  statusWaits: boolean;
  /** The body of a run request. */
  schema: z.ZodType<Body>;
  /** What of it is stored and given to an engine: no photos, and every choice checked. */
  params: z.ZodType<Params>;
  /** The public words for `queued` and `running`. */
  words: { queued: StatusWord; running: StatusWord };
  output: Output;
  price: Price;
  /** Which catalog its integers are of, and the fields that may name the filter; null when it takes none. */
  filter: { catalog: CatalogName; fields: readonly Filters[] } | null;
  /** Where integers may be of several catalogs: that of a request. */
  catalogOf?(body: { filter_id?: unknown; stylized?: boolean | undefined }): CatalogName;
  /** What a generator draws where neither prompt nor filter says how: a photo, or a drawing. */
  medium: 'photo' | 'illustration';
  /** Single or group, unless `gender` or a catalog for groups says that it is a group. */
  mode: Mode;
  /** The photos, in order; each by the fields that may hold it, of which the first one present counts. */
  images: readonly (readonly Images[])[];
  maxImages: number;
  /** Whether shots of a video in `video` may take the place of its photos. */
  takesVideo?: boolean;
  /** Parameters that are accepted for the sake of clients and change nothing: a job that has one says so. */
  ignoredFields?: readonly IgnoredField[];
  /** Finds wrong choices that have error codes of their own. */
  check?(body: Body): CodedProblem | null;
  timeLimitMs: number;
  /** 1 to 9: how many turns of its account a job takes. In each round of accounts the light ones come first. */
  weight: number;
}

/** Checks the fields that a row names against its own schema, and keeps its literal types. */
export const row = <
  const Name extends string,
  const Output extends 'image' | 'video' | 'loop',
  Body,
  Params,
  Filters extends keyof Body & FilterField,
  Images extends keyof Body & ImageField,
>(
  family: FamilyRow<Name, Output, Body, Params, Filters, Images>,
) => family;
