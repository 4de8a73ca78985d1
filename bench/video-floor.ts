import { join } from 'node:path';
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
 * any other and leaves the frame as it is, so that the encoder gets the same to do. An engine's module of its own, so
 * that it is measured like one; its first request's image is the video.
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
  if (request.output !== 'video') throw new Error('the floor makes videos only');
  const file = join(request.scratch, 'floor.mp4');
  await makeClip({
    file,
    size: data,
    frames: data.frames.length,
    quality: qualities[request.params.model],
    threads: startFrameThreads(new URL('./video-floor-renderer.ts', import.meta.url)),
    data,
    signal,
    progress,
  });
  return { file, type: 'video/mp4', applied: [], ignored: [] };
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
