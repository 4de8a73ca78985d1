import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { createAccount } from '../../src/accounts/accounts.ts';
import { openStore } from '../../src/app/storage.ts';
import { readConfig } from '../../src/config.ts';
import { type ComfyuiServer, comfyuiServer } from '../support/comfyui-server.ts';
import { type FalServer, falServer } from '../support/fal-server.ts';
import {
  accountOn,
  photo,
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../support/harness.ts';
import { type OpenaiImagesServer, openaiImagesServer } from '../support/openai-images-server.ts';
import { pictureWorkflow } from '../support/remote.ts';
import { type RunpodServer, runpodServer } from '../support/runpod-server.ts';
import { door } from '../support/test-engine.ts';

/** The real command with a real engines file, killed in the middle of a remote run and started again. */
const folder = mkdtempSync(join(tmpdir(), 'guise-resume-'));
const workflow = {
  name: 'Test',
  about: 'A test.',
  families: ['multi_swap_v5'],
  needs: { comfyui: '0.3', custom_nodes: [], models: [], vram: '1 GB' },
  definition: pictureWorkflow(),
};
let gpu: ComfyuiServer;
let cloud: RunpodServer;
let home: TestServer;
let fal: FalServer;
/** Killed before its queue has given the id of the request. */
let slowFal: FalServer;
let openai: OpenaiImagesServer;
const homeWork = door();
let env: NodeJS.ProcessEnv;
before(async () => {
  gpu = await comfyuiServer({ nodeMs: 10 });
  cloud = await runpodServer({ runMs: 8000 });
  home = await startTestServer();
  fal = await falServer();
  fal.stuckAs = 'IN_PROGRESS';
  slowFal = await falServer();
  slowFal.planned.submit.push('hang');
  openai = await openaiImagesServer();
  openai.planned.push('hang');
  home.engine.result = await sharp(Buffer.from(photo, 'base64')).png().toBuffer();
  home.engine.before = async (request, context) => {
    context.progress(0.1);
    await homeWork.work(request, context);
  };
  writeFileSync(join(folder, 'workflow.json'), JSON.stringify(workflow));
  const engines = {
    engines: {
      gpu: { type: 'comfyui', servers: [{ url: gpu.url }] },
      cloud: { type: 'runpod', endpoint: cloud.endpoint, key_from: 'TEST_CLOUD_KEY' },
      home: { type: 'guise', url: home.url, key_from: 'TEST_HOME_KEY' },
      queue: falEntry(fal),
      'slow-queue': falEntry(slowFal),
      images: {
        type: 'openai_images',
        url: openai.url,
        key_from: 'TEST_OPENAI_KEY',
        model: 'gpt-image-2',
        photos_leave: true,
        dollars_per_picture: 0.04,
      },
    },
    routes: [
      { families: 'multi_swap_v5', engine: 'gpu', workflow: './workflow.json' },
      { families: 'stylized_multi_swap_v1', engine: 'cloud', workflow: './workflow.json' },
      { families: 'multi_swap_v4', engine: 'home' },
      { families: 'multi_swap_v3', engine: 'queue', likeness: 0 },
      { families: 'face_swap_v5', engine: 'slow-queue', likeness: 0 },
      { families: 'face_swap_v6', engine: 'images', likeness: 0 },
    ],
    local: false,
  };
  writeFileSync(join(folder, 'engines.json'), JSON.stringify(engines));
  env = {
    ...process.env,
    PORT: '0',
    GUISE_DATA_DIR: join(folder, 'data'),
    // Previews of its filters would go to the servers too.
    GUISE_DEMO: 'false',
    GUISE_ENGINES: join(folder, 'engines.json'),
    TEST_CLOUD_KEY: cloud.key,
    TEST_HOME_KEY: (await home.account()).api_key,
    TEST_FAL_KEY: fal.key,
    TEST_OPENAI_KEY: openai.key,
  };
});
const falEntry = ({ url }: FalServer) => ({
  type: 'fal',
  url,
  key_from: 'TEST_FAL_KEY',
  model: 'fal-ai/flux-2/klein/4b/edit',
  photos_leave: true,
  dollars_per_picture: 0.03,
});
const children: ChildProcess[] = [];
after(async () => {
  for (const child of children) child.kill('SIGKILL');
  await gpu.stop();
  await cloud.stop();
  await home.stop();
  await Promise.all([fal.stop(), slowFal.stop(), openai.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['packages/server/src/cli/main.ts', 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let said = '';
  child.stdout!.on('data', (bytes) => {
    said += bytes;
  });
  const url = await until(async () => /listening on (\S+)/.exec(said)?.[1], 60_000);
  return { child, url };
}
const picture = { input_image: photo, style_id: 1, outpaint: false };
const kill = async (child: ChildProcess) => {
  child.kill('SIGKILL');
  await once(child, 'exit');
};

const swap = { base64: photo, gender: 0, filter_id: 1 };

/** How often each is asked to make the job, and what that costs, when the server is killed meanwhile. */
const cases = [
  {
    engine: 'ComfyUI',
    paths: ['/v5/run/multi_swap', '/v5/status_multi_swap/'],
    body: picture,
    asked: () => gpu.accepted.length,
  },
  {
    engine: 'RunPod',
    paths: ['/v1/run/stylized_multi_swap', '/v1/status_stylized_multi_swap/'],
    body: picture,
    asked: () => cloud.submitted.length,
  },
  {
    engine: 'Guise',
    paths: ['/v4/multi_swap_styles/', '/v1/status_multi_swap/'],
    body: { input_images: [photo], filter_id: 1 },
    asked: () => home.engine.requests.length,
  },
  {
    engine: 'fal',
    paths: ['/v3/run/multi_swap', '/v3/status_multi_swap/'],
    body: { input_image: photo, style_id: 1 },
    asked: () => fal.calls.submit,
    dollars: 0.03,
  },
  {
    // Neither knows requests again that it has not answered: one more is sent, and counted when it is answered.
    engine: 'fal that has not answered',
    paths: ['/v5/run/face_swap', '/v5/status/'],
    body: swap,
    asked: () => slowFal.calls.submit,
    requests: 2,
    dollars: 0.03,
    begunAt: 0,
  },
  {
    engine: 'OpenAI',
    paths: ['/v6/run/face_swap', '/v6/status/'],
    body: swap,
    asked: () => openai.requests.length,
    requests: 2,
    dollars: 0.04,
  },
] as const;
type Name = (typeof cases)[number]['engine'];

describe('a server that is killed while remote engines work', () => {
  /** The jobs and who asked for them, once the server was killed while all engines worked and is back. */
  const jobs = new Map<Name, { id: string; caller: TestAccount }>();
  before(async () => {
    gpu.faults.slowMs = 1500;
    const first = await start();
    const db = await openStore(readConfig(env));
    const begun = await Promise.all(
      cases.map(async ({ engine, paths: [run, status], body, asked, ...more }) => {
        const email = `${engine.replaceAll(' ', '-')}@example.com`;
        const owner = await createAccount(db, { email, credits: 3, role: 'operator' });
        const ask = accountOn(first.url, owner);
        const { id } = (await ask.call('POST', run, body)).body;
        await until(async () => asked() === 1, 30_000);
        const now = async () =>
          (await ask.call('POST', `${status}${id}`, undefined, { prefer: 'wait=0' })).body;
        // The handle of a job elsewhere can only be stored once it has been given.
        const begunAt = 'begunAt' in more ? more.begunAt : 0.03;
        await until(async () => (await now()).progress >= begunAt, 30_000);
        return { engine, id, owner, now };
      }),
    );
    await db.close();
    for (const { engine, now } of begun) assert.ok((await now()).progress < 1, `${engine} still works`);
    await kill(first.child);

    homeWork.open();
    fal.stuckAs = null;
    const second = await start();
    for (const { engine, id, owner } of begun) jobs.set(engine, { id, caller: accountOn(second.url, owner) });
  });

  for (const { engine, paths, asked, ...more } of cases) {
    test(`a server that is killed while ${engine} works goes on with the same run when it is back`, async () => {
      const { id, caller } = jobs.get(engine)!;
      const { body: ended } = await until(async () => {
        const answer = await caller.call('POST', `${paths[1]}${id}`, undefined, { prefer: 'wait=30' });
        return answer.body.status === 'COMPLETED' || answer.body.status === 'FAILED' ? answer : undefined;
      }, 90_000);
      assert.deepEqual([ended.status, ended.error], ['COMPLETED', undefined]);
      assert.equal(asked(), 'requests' in more ? more.requests : 1);
      const { total } = (await caller.call('GET', '/v1/usage')).body;
      assert.equal(total.cost_usd, 'dollars' in more ? more.dollars : 0);
      assert.deepEqual([total.jobs, await caller.credits()], [1, 3 - total.credits]);
    });
  }
});
