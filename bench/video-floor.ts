import { join } from 'node:path';
import { makeClip } from '@guise/engine/video/clip.ts';
import { qualities, type VideoModel } from '@guise/engine/video/formats.ts';
import { type Frame, frameBytes, frameOver } from '@guise/engine/video/frame.ts';
import type { Renderer } from '@guise/engine/video/frame-threads.ts';
import { latticeOver, paintBehind } from '@guise/engine/video/layers/layer-warp.ts';
import { layPlane } from '@guise/engine/video/single-renderer.ts';
import type { EngineContext, EngineRequest, EngineResult } from '@guise/server/engines/engine.ts';
import { decodeFrames } from '../packages/engine/test/decode-video.ts';

/**
 * What a video costs at least: its own frames, decoded before the clock starts, each remapped once by the engine's
 * kernel and encoded with the model's settings, on as many threads. The map is the one at rest, which costs as much as
 * any other and leaves the frame as it is, so that the encoder gets the same to do. An engine's module of its own, so
 * that it is measured like one; its first request's image is the video.
 */

interface Rendered {
  width: number;
  height: number;
  frames: SharedArrayBuffer[];
}

let rendered: Promise<Rendered> | undefined;

export async function run(
  { images, params, scratch }: EngineRequest,
  { signal, progress }: EngineContext,
): Promise<EngineResult> {
  rendered ??= decode(images[0]!);
  const data = await rendered;
  const file = join(scratch, 'floor.mp4');
  await makeClip({
    file,
    size: data,
    frames: data.frames.length,
    quality: qualities[params.model as VideoModel],
    source: { module: new URL(import.meta.url), data },
    signal,
    progress,
  });
  return { file, type: 'video/mp4', applied: [], ignored: [] };
}

async function decode(video: string): Promise<Rendered> {
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

/** The side of a cell of the lattice, as `simple` and `advanced` have it. */
const step = 16;

export function rendererOf(data: unknown): Renderer {
  const { frames, ...size } = data as Rendered;
  const atRest = latticeOver(size, step);
  layPlane(atRest, [1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const layer = { alpha: null, alphaHalf: null, density: 1, left: 0, top: 0 };
  return (index, frame) => {
    paintBehind({ ...layer, planes: frameOver(frames[index]!, size) }, atRest, frame, null);
  };
}
