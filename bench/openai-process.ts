import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { openaiImagesServer } from '../packages/server/test/support/openai-images-server.ts';

/** The fake of OpenAI's images interface in a process of its own: argument 1 is the seconds a picture takes. */
const [seconds = '1'] = process.argv.slice(2);
const server = await openaiImagesServer({ beforeAnswer: () => sleep(Number(seconds) * 1000) });
/** A photograph at the size that is asked for, and no smaller than one. */
server.picture = await sharp('catalog/samples/astronaut.jpg')
  .resize(1200, 1808, { fit: 'cover' })
  .png({ compressionLevel: 6 })
  .toBuffer();
process.send?.({ url: server.url, key: server.key });
