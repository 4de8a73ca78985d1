import { readFile } from 'node:fs/promises';
import { type FaceSwapInput, Guise, GuiseError, type JobListEntry, type JobResult } from '@guise/client';

/** What a booth does with the client, under every strict option of TypeScript. */
const guise = new Guise({ baseUrl: process.env.GUISE_URL ?? '', apiKey: process.env.GUISE_KEY });

const progress: number[] = [];
const input: FaceSwapInput = { photo: 'guest.jpg', filter: 1, gender: 'female' };
const picture: JobResult = await guise.faceSwap(input, { onProgress: (job) => progress.push(job.progress) });
await picture.save('picture.png');

const group = await guise.run('multi_swap_v5', { photo: await readFile('guest.jpg'), style: 1 });
await group.save('group.png');

const job = await guise.submit('single_frame_video', {
  photo: new URL(`file://${process.cwd()}/guest.jpg`),
  prompt: 'slow zoom',
  model: 'simple',
  duration: '4s',
});
const status = await guise.status(job, { waitSeconds: 20 });
const link: string | undefined = status.output.video_url;
const video = await guise.result(job);
await video.save('video.mp4');

const leave = new AbortController();
let cancelled = '';
try {
  await guise.selfPrompt({ prompt: 'for ever' }, { signal: leave.signal, onProgress: () => leave.abort() });
} catch (error) {
  cancelled = error instanceof Error ? error.name : 'something else';
}

let refused: unknown;
try {
  await guise.faceSwap({ ...input, filter: 9999 });
} catch (error) {
  if (!(error instanceof GuiseError)) throw error;
  if (error.code === 'FILTER_NOT_FOUND') refused = [error.code, error.status, typeof error.requestId];
}

const entries: JobListEntry[] = [];
for await (const entry of guise.jobs.all({ limit: 3 })) entries.push(entry);
const lastStatus = entries[0]?.status;

/** What the types refuse: each of these lines must be an error. */
export const refusedByTypes = [
  // @ts-expect-error: nobody has this gender here
  () => guise.faceSwap({ photo: 'guest.jpg', filter: 1, gender: 'woman' }),
  // @ts-expect-error: a filter is missing
  () => guise.faceSwap({ photo: 'guest.jpg', gender: 'male' }),
  // @ts-expect-error: a video has no style
  () => guise.run('single_frame_video', { photo: 'guest.jpg', style: 1 }),
  // @ts-expect-error: there is no such family
  () => guise.submit('face_swap_v7', input),
  // @ts-expect-error: a picture has no link
  async () => (await guise.status({ id: '', family: 'face_swap_v6' })).output.video_url,
  // @ts-expect-error: a key has a name
  () => guise.keys.create({}),
];

console.log(JSON.stringify({ progress, cancelled, refused, lastStatus, hasLink: link !== undefined }));
