import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFaces } from '@guise/engine/faces/faces.ts';
import { readPhoto } from '@guise/engine/photo.ts';
import { makeClip } from '@guise/engine/video/clip.ts';
import { mainFaces } from '@guise/engine/video/crop.ts';
import { qualities } from '@guise/engine/video/formats.ts';
import { type Frame, frameBytes, frameOver } from '@guise/engine/video/frame.ts';
import type { Renderer } from '@guise/engine/video/frame-threads.ts';
import { setStage } from '@guise/engine/video/layers/set-stage.ts';
import type { Stage } from '@guise/engine/video/layers/stage.ts';
import { readMotion } from '@guise/engine/video/motion-words.ts';
import { rendererOf as singleRenderer } from '@guise/engine/video/single-renderer.ts';
import type { EngineContext, EngineRequest, EngineResult } from '@guise/server/engines/engine.ts';
import type { Runner } from '@guise/server/engines/pool/runner.ts';

/**
 * What any video of these frames costs at least: they are encoded as they are, already rendered, after one plain
 * remap each, pixel by pixel through a depth map. An engine's module of its own, so that it is measured like one.
 */

interface Prepared {
  stage: Stage;
  rendered: SharedArrayBuffer[];
}

export function createRunner(): Runner {
  let prepared: Promise<Prepared> | undefined;
  return {
    async run(request, context) {
      prepared ??= prepare(request, context.signal);
      return encode(await prepared, request, context);
    },
  };
}

async function encode(
  { stage, rendered }: Prepared,
  request: EngineRequest,
  { signal, progress }: EngineContext,
): Promise<EngineResult> {
  const file = join(request.scratch, 'floor.mp4');
  await makeClip({
    file,
    size: stage.size,
    frames: stage.frames,
    quality: qualities.advanced,
    source: { module: new URL(import.meta.url), data: { stage, rendered } },
    signal,
    progress,
  });
  await readFile(file);
  return { file, type: 'video/mp4', applied: [], ignored: [] };
}

async function prepare({ images, prompt }: EngineRequest, signal: AbortSignal): Promise<Prepared> {
  const photo = await readPhoto(images[0]!, 1920);
  const faces = mainFaces(await findFaces(photo, { traits: false }));
  const stage = await setStage(photo, faces, {
    model: 'advanced',
    aspect: 'auto',
    frames: 96,
    motion: readMotion(prompt!),
    seed: 1,
    file: '',
    signal,
    progress: () => {},
  });
  const render = singleRenderer(stage);
  const rendered = Array.from({ length: stage.frames }, (_, index) => {
    const buffer = new SharedArrayBuffer(frameBytes(stage.size));
    render(index, frameOver(buffer, stage.size));
    return buffer;
  });
  return { stage, rendered };
}

export function rendererOf(data: unknown): Renderer {
  const { stage, rendered } = data as Prepared;
  const { width, height } = stage.size;
  const depth = new Uint8Array(width * height);
  for (let i = 0; i < depth.length; i++) depth[i] = (i / depth.length) * 255;
  const scratch = frameOver(new ArrayBuffer(frameBytes(stage.size)), stage.size);
  return (index, frame) => {
    const from = frameOver(rendered[index]!, stage.size);
    remap(from, scratch, depth, 20 * (index / stage.frames));
    frame.y.set(from.y);
    frame.u.set(from.u);
    frame.v.set(from.v);
  };
}

function remap(from: Frame, to: Frame, depth: Uint8Array, shift: number): void {
  remapPlane(from.y, to.y, from.width, from.height, depth, 1, shift);
  remapPlane(from.u, to.u, from.width / 2, from.height / 2, depth, 2, shift / 2);
  remapPlane(from.v, to.v, from.width / 2, from.height / 2, depth, 2, shift / 2);
}

function remapPlane(
  from: Uint8Array,
  to: Uint8Array,
  width: number,
  height: number,
  depth: Uint8Array,
  reduction: number,
  shift: number,
): void {
  const mostX = width - 1.001;
  const mostY = height - 1.001;
  const scale = 1 - 0.0002 * shift;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const near = depth[y * reduction * width * reduction + x * reduction]! / 255;
      const grow = 1 - (1 - scale) * near;
      const sx = Math.min(mostX, Math.max(0, width / 2 + (x - width / 2) * grow + shift * (near - 0.5)));
      const sy = Math.min(mostY, Math.max(0, height / 2 + (y - height / 2) * grow));
      const left = sx | 0;
      const top = sy | 0;
      const u = sx - left;
      const at = top * width + left;
      const upper = from[at]! + (from[at + 1]! - from[at]!) * u;
      const lower = from[at + width]! + (from[at + width + 1]! - from[at + width]!) * u;
      to[i] = upper + (lower - upper) * (sy - top) + 0.5;
    }
  }
}
