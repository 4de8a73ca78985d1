import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '@guise/engine/engine.ts';
import { samplePhotos } from '@guise/engine/samples.ts';
import { writeDurably } from '@guise/server/durable-files.ts';
import { finishPicture } from '@guise/server/engines/decoding/child/finish-picture.ts';
import { makeIdentity } from '@guise/server/provenance/make-certificate.ts';
import { noSigner, resultSigner } from '@guise/server/provenance/result-signer.ts';
import OpenAI, { toFile } from 'openai';
import { pino } from 'pino';
import sharp from 'sharp';
import { openaiImagesPlan } from '../packages/server/test/support/hosted.ts';
import { treeCpuSeconds } from './process-usage.ts';
import {
  compareInTurns,
  type JobLoad,
  type PictureClient,
  startGuise,
  type TimesOfRounds,
} from './remote-jobs.ts';

/** As a camera of a booth sends her, who is in the fake's pictures. */
const photo = await sharp(samplePhotos.onePerson).resize({ width: 1600 }).jpeg({ quality: 90 }).toBuffer();
const guest = { gender: 1 };
const shape = { width: 1200, height: 1800, exact: true, type: 'image/png', seconds: null } as const;

/**
 * What a client does beside the call. `call` uses OpenAI's own library and decodes the picture, as whoever uses it would.
 * `finished` makes of it what every result of Guise is, by the same functions in one process: cut to its size, checked,
 * signed and stored so that a power loss does not remove it. `compared` also compares its people with the photo, which it
 * looks at during the call.
 */
export type ClientWork = 'call' | 'finished' | 'compared';

interface Hosted {
  url: string;
  key: string;
  process: ChildProcess;
}

async function startHosted(seconds: number): Promise<Hosted> {
  const child = fork(new URL('./openai-process.ts', import.meta.url), [String(seconds)]);
  const [told] = (await once(child, 'message')) as [{ url: string; key: string }];
  return { ...told, process: child };
}

async function bareClient({ url, key }: Hosted, work: ClientWork): Promise<PictureClient> {
  const client = new OpenAI({ apiKey: key, baseURL: url, maxRetries: 0 });
  const folder = mkdtempSync(join(tmpdir(), 'guise-bench-bare-'));
  const signer =
    work === 'call' ? noSigner : resultSigner(makeIdentity(new Date()), pino({ level: 'silent' }));
  await signer.check();
  const engine = createEngine();
  const photoFile = join(folder, 'photo.jpg');
  await writeFile(photoFile, photo);
  const photos = { photos: [photoFile], guest };
  const call = async () => {
    const image = await toFile(photo, 'photo.jpg', { type: 'image/jpeg' });
    const asked = { model: 'gpt-image-2', prompt: 'in space', size: '1200x1808' as never };
    const { data } = await client.images.edit({ image: [image], ...asked });
    return Buffer.from(data![0]!.b64_json!, 'base64');
  };
  const finish = async (bytes: Buffer, job: string, onWritten: (file: string) => void) => {
    const [source, target] = [join(job, 'from-service'), join(job, 'picture.png')];
    await writeFile(source, bytes);
    let stored: Promise<void> | undefined;
    const store = async () => {
      await signer.sign({ file: target, type: 'image/png' });
      const result = join(job, 'picture.b64');
      await writeDurably(await open(result, 'w'), result, (await readFile(target)).toString('base64'));
    };
    await finishPicture({ source, target, shape }, () => {
      onWritten(target);
      stored = store();
    });
    await stored;
  };
  return {
    async run() {
      const calling = call();
      if (work === 'call') return void (await calling);
      const people = work === 'compared' ? engine.findGuests(photos) : null;
      const job = join(folder, crypto.randomUUID());
      mkdirSync(job);
      let compared: Promise<unknown> | undefined;
      await finish(await calling, job, (picture) => {
        compared = people?.then((found) => engine.checkIdentity({ ...photos, picture, people: found }));
      });
      await compared;
      rmSync(job, { recursive: true });
    },
    async stop() {
      await signer.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Of so many seconds a job. Processor time is that of this process and those that Guise has started. */
export async function compareHosted(load: JobLoad, work: ClientWork): Promise<TimesOfRounds> {
  const hosted = await startHosted(load.gpuSeconds);
  // Pictures of the fake show her, and are as unlike her as they like: there is no second take.
  const likeness = work === 'compared' ? 0.01 : 0;
  const plan = openaiImagesPlan(hosted, { jobs: load.parallel }, { families: ['face_swap_v6'], likeness });
  const clients = { bare: await bareClient(hosted, work), guise: await startGuise(plan, photo) };
  const cpuSeconds = () => treeCpuSeconds(process.pid) - treeCpuSeconds(hosted.process.pid!);
  return compareInTurns(load, clients, cpuSeconds).finally(() => hosted.process.kill());
}
