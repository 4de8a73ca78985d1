import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { families, isLinked, loopTypes, mediaTypes } from '@guise/contract/families/families.ts';
import type { Engine, EngineContext, EngineRequest, EngineResult } from '../../src/engines/engine.ts';
import { tinyGif, tinyMp4, tinyPng, tinyWebp } from './tiny-results.ts';

export { tinyMp4, tinyPng };

type Work = (request: EngineRequest, context: EngineContext) => Promise<void>;

export interface TestEngine extends Engine {
  /** What happens before the result is written; nothing by default. */
  before: Work;
  result: Buffer | null;
  /** What it thinks of its pictures; undefined where it does not look at them. */
  quality: EngineResult['quality'];
  /** Every request so far. */
  requests: EngineRequest[];
}

const tinyResults = {
  'image/png': tinyPng,
  'video/mp4': tinyMp4,
  'image/gif': tinyGif,
  'image/webp': tinyWebp,
};

/** An engine of the tests: makes the same small file of everything, as late or as badly as a test asks for. */
export function testEngine(): TestEngine {
  const engine: TestEngine = {
    name: 'test',
    abilities: families.map((family) => ({ family: family.name })),
    before: async () => {},
    result: null,
    quality: { grade: 'fair', reasons: [{ check: 'loose part', measure: 0.1, regions: [] }] },
    requests: [],
    async run(request, context): Promise<EngineResult> {
      engine.requests.push(request);
      await engine.before(request, context);
      const video = isLinked(request.output);
      const file = join(request.scratch, 'result');
      const type = request.output === 'loop' ? loopTypes[request.params.format] : mediaTypes[request.output];
      await writeFile(file, engine.result ?? tinyResults[type]);
      const still = join(request.scratch, 'still.png');
      if (request.output === 'loop') await writeFile(still, tinyPng);
      return {
        file,
        type,
        ...(request.output === 'loop' && { still }),
        applied: [{ kind: 'input', value: 'a thing' }],
        ignored: [{ kind: 'input', value: 'another' }],
        ...(!video && engine.quality && { quality: engine.quality }),
      };
    },
    checkTemplate: async () => ({
      width: 48,
      height: 64,
      faces: [
        { x: 5, y: 6, width: 7, height: 8, lean: 0, warnings: [] },
        { x: 1, y: 2, width: 3, height: 4, lean: 0, warnings: ['too small'] },
      ],
      warnings: ['A sentence.'],
    }),
    async close() {},
  };
  return engine;
}

/** Work that goes on until it is told to stop. */
export const untilAborted: Work = async (_, context) => {
  await sleep(3_600_000, undefined, { signal: context.signal });
};

/** A door that work waits at: `open()` lets everything through, now and later. */
export function door(): { work: Work; open: () => void; reached: Promise<void> } {
  const opened = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  return {
    open: opened.resolve,
    reached: reached.promise,
    work: async (_, context) => {
      reached.resolve();
      const stopped = new Promise((__, reject) => {
        context.signal.addEventListener('abort', () => reject(context.signal.reason), { once: true });
      });
      await Promise.race([opened.promise, stopped]);
    },
  };
}
