import { bytesToBase64, joinBytes, readPieces } from '../bytes.ts';
import { downscalePhoto, type ResizePhoto } from './downscale-photo.ts';
import { openFileSystem } from './file-system.ts';

/**
 * A photo: a file of a page (`Blob`), bytes (`Buffer` is one of these), a stream, or text. Text that begins with
 * `http:`, `https:` or `data:` is an address; other text is the path of a file, which browsers have none of. The server
 * fetches http addresses itself, so they must be public.
 */
export type PhotoInput =
  | string
  | URL
  | Blob
  | ArrayBuffer
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

export interface PhotoOptions {
  /** The longest side that is sent, in pixels: `true` is 2048, which is what the engines use. Off by default. */
  downscale?: boolean | number | undefined;
  /** Needed for `downscale` outside of browsers. */
  resizePhoto?: ResizePhoto | undefined;
}

const defaultSide = 2048;

/** A photo as the interface takes images: base64, a data URI or an address. */
export async function readPhotoInput(photo: PhotoInput, options: PhotoOptions = {}): Promise<string> {
  const address = addressOf(photo);
  if (address !== undefined) return address;
  const bytes = await readBytes(photo as Exclude<PhotoInput, URL>);
  if (!options.downscale) return bytesToBase64(bytes);
  const side = options.downscale === true ? defaultSide : options.downscale;
  return bytesToBase64(await downscalePhoto(bytes, side, options.resizePhoto));
}

/** Addresses are sent as they are. */
function addressOf(photo: PhotoInput): string | undefined {
  if (photo instanceof URL) return photo.protocol === 'file:' ? undefined : photo.href;
  return typeof photo === 'string' && /^(?:https?|data):/i.test(photo) ? photo : undefined;
}

async function readBytes(photo: PhotoInput): Promise<Uint8Array> {
  if (typeof photo === 'string' || photo instanceof URL) return readPath(photo);
  if (photo instanceof Uint8Array) return photo;
  if (photo instanceof ArrayBuffer) return new Uint8Array(photo);
  if (photo instanceof Blob) return new Uint8Array(await photo.arrayBuffer());
  // The whole of a stream is read first: a request that is sent again needs it once more.
  const pieces: Uint8Array[] = [];
  for await (const piece of readPieces(photo)) pieces.push(piece);
  return joinBytes(pieces);
}

async function readPath(path: string | URL): Promise<Uint8Array> {
  const files = await openFileSystem();
  if (!files)
    throw new TypeError('A photo must be a Blob, bytes, a stream or an address here: there are no paths.');
  return files.readFile(path);
}
