import weightsUrl from '@vladmandic/human/models/blazeface.bin?url';
import topologyUrl from '@vladmandic/human/models/blazeface.json?url';
import { type FaceNet, inputSide, openFaceNet } from './face-net.ts';
import layersUrl from './face-net.wasm?url';
import type { FaceAnswer, FaceQuestion } from './face-question.ts';
import { findAllFaces, findNearFaces, type Tile } from './find-faces.ts';
import { isTooDark } from './photo-light.ts';

/** Finds faces beside the page, so that the mirror view stays smooth. */

let net: Promise<FaceNet> | undefined;

async function loadNet(): Promise<FaceNet> {
  const [layers, weights, topology] = await Promise.all(
    [layersUrl, weightsUrl, topologyUrl].map(async (url) => (await fetch(url)).arrayBuffer()),
  );
  return openFaceNet({
    layers: layers!,
    weights: weights!,
    topology: new TextDecoder().decode(topology),
  });
}

const canvas = new OffscreenCanvas(inputSide, inputSide);
const context = canvas.getContext('2d', { willReadFrequently: true, alpha: false })!;

function readTile(picture: ImageBitmap, { x, y, side }: Tile): Uint8ClampedArray {
  context.fillStyle = '#000';
  context.fillRect(0, 0, inputSide, inputSide);
  const scale = inputSide / side;
  context.drawImage(picture, -x * scale, -y * scale, picture.width * scale, picture.height * scale);
  return context.getImageData(0, 0, inputSide, inputSide).data;
}

/** All of a picture, as small as it may be to tell its light. */
function readSmall(picture: ImageBitmap): ImageData {
  const { width, height } = picture;
  const scale = inputSide / Math.max(width, height);
  const [smallWidth, smallHeight] = [Math.round(width * scale), Math.round(height * scale)];
  context.drawImage(picture, 0, 0, smallWidth, smallHeight);
  return context.getImageData(0, 0, smallWidth, smallHeight);
}

async function answer({ picture, isThorough }: FaceQuestion): Promise<FaceAnswer> {
  net ??= loadNet();
  const find = isThorough ? findAllFaces : findNearFaces;
  const faces = find(await net, picture, (tile) => readTile(picture, tile));
  return { faces, isDark: isTooDark(readSmall(picture), faces) };
}

/** Until then a network that could not be loaded is not tried again. */
const retryMs = 30_000;

addEventListener('message', ({ data }: MessageEvent<FaceQuestion>) => {
  answer(data)
    .then(
      (found) => postMessage(found),
      () => {
        postMessage(null);
        setTimeout(() => {
          net = undefined;
        }, retryMs);
      },
    )
    .finally(() => data.picture.close());
});
