import { join } from 'node:path';
import { findFaces } from '@guise/engine/faces/faces.ts';
import { askedTimes } from '@guise/engine/living/flow-between.ts';
import { withFlowFinder } from '@guise/engine/living/frame-flow.ts';
import { mattePeople } from '@guise/engine/matting/matte.ts';
import { readPhoto } from '@guise/engine/pixels/photo.ts';
import type { Size } from '@guise/engine/pixels/plane.ts';
import { makeClip } from '@guise/engine/video/clip.ts';
import { qualities } from '@guise/engine/video/formats.ts';
import { type Frame, frameBytes, frameOver } from '@guise/engine/video/frame.ts';
import { startFrameThreads } from '@guise/engine/video/frame-threads.ts';
import type { EngineRequest, EngineResult } from '@guise/server/engines/engine.ts';
import type { Runner, RunnerContext } from '@guise/server/engines/pool/runner.ts';
import { decodeFrames } from '../packages/engine/test/support/decode-video.ts';
import type { DecodedFrames } from './video-floor-renderer.ts';

/**
 * What a video costs at least: its own frames, decoded before the clock starts, each remapped once by the engine's
 * kernel and encoded with the model's settings, on as many threads. The map is the one at rest, which costs as much as
 * any other and leaves the frame as it is, so that the encoder gets the same to do. Of a living portrait the people of
 * every shot are found and cut out as well, and the network finds the flows that the engine asks it for. An engine's
 * module of its own, so that it is measured like one; its first request's image is the video, and the others its photos.
 */

export function createRunner(): Runner {
  let rendered: Promise<DecodedFrames> | undefined;
  return {
    async run(request, context) {
      rendered ??= decode(request.images[0]!);
      return encode(await rendered, request, context);
    },
  };
}

async function encode(
  data: DecodedFrames,
  request: EngineRequest,
  { signal, progress }: RunnerContext,
): Promise<EngineResult> {
  if (request.output === 'image') throw new Error('the floor makes videos only');
  if (request.output === 'loop') await runNetworks(data, request);
  const file = join(request.scratch, 'floor.mp4');
  await makeClip({
    file,
    size: data,
    frames: data.frames.length,
    quality: request.output === 'loop' ? qualities.advanced : qualities[request.params.model],
    threads: startFrameThreads(new URL('./video-floor-renderer.ts', import.meta.url)),
    data,
    signal,
    progress,
  });
  return { file, type: 'video/mp4', applied: [], ignored: [] };
}

/** What no way of making a living portrait can do without. */
async function runNetworks(clip: Size, { images }: EngineRequest): Promise<void> {
  for (const file of images.slice(1)) {
    const photo = await readPhoto(file);
    await mattePeople(photo, await findFaces(photo, { traits: false }), {});
  }
  const side = (length: number) => 32 * Math.floor(length / 2 / 32);
  const size = { width: side(clip.width), height: side(clip.height) };
  const shot = new Float32Array(3 * size.width * size.height).fill(0.5);
  await withFlowFinder(async (find) => {
    for (let shots = 2; shots < images.length; shots++)
      for (const time of askedTimes) await find(shot, shot, size, time);
  });
}

async function decode(video: string): Promise<DecodedFrames> {
  const frames: SharedArrayBuffer[] = [];
  let size = { width: 0, height: 0 };
  for await (const frame of decodeFrames(video)) {
    size = { width: frame.width, height: frame.height };
    frames.push(shared(frame));
  }
  return { ...size, frames };
}

function shared(frame: Frame): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(frameBytes(frame));
  const copy = frameOver(buffer, frame);
  copy.y.set(frame.y);
  copy.u.set(frame.u);
  copy.v.set(frame.v);
  return buffer;
}
