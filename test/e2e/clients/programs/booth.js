import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Guise, GuiseError } from '@guise/client';

/** What a booth does with the client, in plain JavaScript: its results and what it saw are for the test. */
const guise = new Guise({ baseUrl: process.env.GUISE_URL, apiKey: process.env.GUISE_KEY });

const progress = [];
const picture = await guise.faceSwap(
  { photo: 'guest.jpg', filter: 1, gender: 'female' },
  { onProgress: (job) => progress.push(job.progress) },
);
await picture.save('picture.png');

const group = await guise.multiSwap({ photo: createReadStream('guest.jpg'), style: 1 });
await group.save('group.png');

const photo = new Blob([await readFile('guest.jpg')]);
const video = await guise.singleFrameVideo({ photo, prompt: 'slow zoom', model: 'simple', duration: '4s' });
await video.save('video.mp4');

const leave = new AbortController();
const cancelled = await guise
  .selfPrompt({ prompt: 'for ever' }, { signal: leave.signal, onProgress: () => leave.abort() })
  .catch((error) => error.name);

const refused = await guise
  .faceSwap({ photo: 'guest.jpg', filter: 9999, gender: 'male' })
  .catch((error) => error instanceof GuiseError && [error.code, error.status, typeof error.requestId]);

const [last] = (await guise.jobs.list({ limit: 1 })).jobs;
console.log(JSON.stringify({ progress, cancelled, refused, lastStatus: last.status }));
