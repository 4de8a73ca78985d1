import libheif from 'libheif-js/libheif-wasm/libheif-bundle.mjs';
import { say } from '../words/say.ts';
import { PhotoRefused } from './photo-refused.ts';

/** Decodes a photo of an iPhone where the browser cannot. The decoder is loaded only then. */
export async function decodeHeic(file: Blob): Promise<ImageBitmap> {
  const { HeifDecoder } = await libheif();
  const [image] = new HeifDecoder().decode(new Uint8Array(await file.arrayBuffer()));
  if (!image) throw new PhotoRefused(say('This HEIC photo is damaged and cannot be read.'));
  const [width, height] = [image.get_width(), image.get_height()];
  const pixels = await new Promise<ImageData | null>((resolve) =>
    image.display(new ImageData(width, height), resolve),
  );
  image.free();
  if (!pixels) throw new PhotoRefused(say('This HEIC photo is damaged and cannot be read.'));
  return createImageBitmap(pixels);
}
