import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPicture } from '../../src/engines/decoding/child/check-picture.ts';
import { decodingTasks } from '../../src/engines/decoding/child/decoding-runner.ts';
import type { Decoder } from '../../src/media/decoder.ts';
import { type ImageInfo, inspectImage } from '../../src/media/inspect-image.ts';

/** Decodes in this process, for tests of what is decoded. */
export const decodesHere: Decoder = {
  checkPicture: (bytes) => checkPicture({ bytes }),
  async inTurn(_, work) {
    const folder = await mkdtemp(join(tmpdir(), 'guise-decode-'));
    return work(decodingTasks, folder).finally(() => rm(folder, { recursive: true, force: true }));
  },
  forJob: () => decodingTasks,
  async close() {},
};

export const inspectHere = (bytes: Buffer): Promise<ImageInfo> =>
  inspectImage(bytes, (picture) => checkPicture({ bytes: picture }));
