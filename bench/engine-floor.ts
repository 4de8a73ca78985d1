import { join } from 'node:path';
import { canvasSizes } from '@guise/contract/families/canvas.ts';
import {
  blazeFace,
  faceMesh,
  modNet,
  type PictureModel,
  selfieMulticlass,
} from '@guise/engine/models/models.ts';
import { Tensor } from '@guise/engine/models/onnxruntime.ts';
import { session } from '@guise/engine/models/sessions.ts';
import { readScenes } from '@guise/engine/scenes/scenes.ts';
import sharp, { type Sharp } from 'sharp';

/**
 * What a picture of one person takes at least: the photo decoded, every network that it needs run once on an input of
 * the engine's size, the person laid over the plate and the PNG encoded, by sharp and ONNX Runtime alone. Edges are not
 * refined, nobody is lit like the scene, nothing is finished. A process of its own: it is sent the path of a photo and
 * answers with its seconds.
 */

/** The short side of MODNet's input, as the engine has it for one person. */
const shortSide = 512;
const scene = (await readScenes()).get('great-hall')!;
const plateFile = join(scene.folder, scene.plates.portrait);
const canvas = canvasSizes.portrait;

/** The photo as one of the model's inputs. */
async function modelInput(
  photo: Sharp,
  { input: { scale, shift } }: PictureModel,
  [width, height]: readonly [number, number],
  layout: 'planes' | 'pixels' = 'planes',
): Promise<Tensor> {
  const bytes = await photo.clone().resize(width, height, { fit: 'fill' }).raw().toBuffer();
  const values = new Float32Array(bytes.length);
  if (layout === 'pixels') {
    for (let i = 0; i < bytes.length; i++) values[i] = bytes[i]! * scale + shift;
    return new Tensor('float32', values, [1, height, width, 3]);
  }
  const pixels = width * height;
  for (let i = 0; i < pixels; i++) {
    for (let channel = 0; channel < 3; channel++) {
      values[channel * pixels + i] = bytes[3 * i + channel]! * scale + shift;
    }
  }
  return new Tensor('float32', values, [1, 3, height, width]);
}

async function run(model: PictureModel, input: Tensor): Promise<Float32Array> {
  const network = await session(model);
  const outputs = await network.run({ [network.inputNames[0]!]: input });
  return Object.values(outputs)[0]!.data as Float32Array;
}

/** The size of MODNet's input: the photo's shape, in multiples of 32. */
function matteSize({ width, height }: { width: number; height: number }): [number, number] {
  const fit = (length: number) => Math.round((length * shortSide) / Math.min(width, height) / 32) * 32;
  return [fit(width), fit(height)];
}

async function makePicture(file: string): Promise<void> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  const photo = sharp(data, { raw: info });
  const scale = Math.min(canvas.width / info.width, canvas.height / info.height);
  const person = { width: Math.round(scale * info.width), height: Math.round(scale * info.height) };
  // Both are made while the networks run.
  const enlarged = photo.clone().resize(person).raw().toBuffer();
  const plate = sharp(plateFile)
    .resize({ ...canvas, fit: 'cover' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  for (const model of [blazeFace, faceMesh])
    await run(model, await modelInput(photo, model, model.input.size!));
  await run(
    selfieMulticlass,
    await modelInput(photo, selfieMulticlass, selfieMulticlass.input.size!, 'pixels'),
  );
  const [width, height] = matteSize(info);
  const matte = await run(modNet, await modelInput(photo, modNet, [width, height]));
  const shares = new Uint8Array(matte.length);
  for (let i = 0; i < shares.length; i++) shares[i] = 255 * matte[i]!;
  const alpha = await sharp(shares, { raw: { width, height, channels: 1 } })
    .resize({ ...person, fit: 'fill' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const cutout = await sharp(await enlarged, { raw: { ...person, channels: 3 } })
    .joinChannel(alpha, { raw: { ...person, channels: 1 } })
    .raw()
    .toBuffer();
  const behind = await plate;
  await sharp(behind.data, { raw: behind.info })
    .composite([{ input: cutout, raw: { ...person, channels: 4 }, gravity: 'south' }])
    .png({ compressionLevel: 1 })
    .toBuffer();
}

process.on('message', async (file: string) => {
  const started = performance.now();
  await makePicture(file);
  process.send!((performance.now() - started) / 1000);
});
process.send!('ready');
