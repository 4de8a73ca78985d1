import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { EngineDownload } from '@guise/contract/operator/engine-setup.ts';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { inventoryServer } from '../../../packages/server/test/support/comfyui-inventory.ts';
import {
  referenceNodes,
  referenceWeights,
} from '../../../packages/server/test/support/comfyui-reference-nodes.ts';
import { type ComfyuiServer, comfyuiServer } from '../../../packages/server/test/support/comfyui-server.ts';
import { pictureWorkflow } from '../../../packages/server/test/support/remote.ts';
import { runpodServer } from '../../../packages/server/test/support/runpod-server.ts';
import { checkAllWidths } from '../support/page-checks.ts';
import { borrowBrowser } from '../support/shared-browser.ts';
import { startOwnServer } from './own-server.ts';

let own: Awaited<ReturnType<typeof startOwnServer>>;
let browser: Awaited<ReturnType<typeof borrowBrowser>>;
let comfyui: ComfyuiServer;
let context: BrowserContext;
let page: Page;

before(async () => {
  browser = await borrowBrowser();
  comfyui = await comfyuiServer();
  own = await startOwnServer(addWorkflows);
  context = await browser.newContext({ reducedMotion: 'reduce', baseURL: own.app.url });
  page = await context.newPage();
  await page.goto(own.app.signInLink!);
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await page.goto('/studio/operator/engines');
});
after(async () => {
  await context.close();
  await browser.giveBack();
  await own.stop();
  await comfyui.stop();
});

/** An engine whose two workflows can be run: one makes a picture, the other asks for a file that is not there. */
function addWorkflows(dataDir: string): void {
  const about = { name: 'Test', about: 'A test.', families: ['face_swap_v6'] };
  const needs = { comfyui: '0.3.57', custom_nodes: [], models: [], vram: '1 GB' };
  const broken = pictureWorkflow();
  broken.workflow['1']!.inputs.ckpt_name = 'not-there.safetensors';
  for (const [name, definition] of Object.entries({ portrait: pictureWorkflow(), broken }))
    writeFileSync(join(dataDir, `${name}.json`), JSON.stringify({ ...about, needs, definition }));
  const servers = [{ url: comfyui.url, gpu_hour_price: 9000 }];
  const routes = [
    { engine: 'tried', families: 'face_swap_v6', workflow: './portrait.json' },
    { engine: 'tried', families: 'multi_swap_v5', workflow: './broken.json' },
  ];
  const file = { engines: { tried: { type: 'comfyui', servers } }, routes };
  writeFileSync(join(dataDir, 'engines.json'), JSON.stringify(file));
}

const rowOf = (name: string): Locator =>
  page.getByRole('region', { name: 'Engines' }).getByRole('listitem').filter({ hasText: name }).first();

test('a ComfyUI server shows what it has and lacks for its card, gets a script, and is saved and set up again', async () => {
  const empty = await inventoryServer(referenceNodes([]), { version: '0.27.0' });
  const full = await inventoryServer(referenceNodes(referenceWeights), { version: '0.27.0', vramGb: 24 });
  await page.getByRole('button', { name: 'Add an engine' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an engine' });
  await dialog.getByLabel('Name').fill('rack');
  await dialog.getByLabel('Address', { exact: true }).fill(empty.url);
  await dialog.getByRole('button', { name: 'Test the connection' }).click();
  const models = dialog.getByRole('region', { name: 'Set of models' });
  await models.getByText('No server says how much memory it has.').waitFor();
  assert.equal(await models.getByText(/It lacks/).count(), 0);
  await models.getByLabel('Graphics card').selectOption('24 GB');
  await models.getByText(/It lacks \d+ files, about \d+\.\d GB/).waitFor();
  await models.getByText('Files, sizes and licences').click();
  const listed = models.getByRole('listitem');
  await listed.filter({ hasText: 'flux-2-klein-4b' }).first().getByText('may be used commercially').waitFor();
  await checkAllWidths(page);
  const saved = page.waitForEvent('download');
  await models.getByRole('button', { name: 'Save a script' }).click();
  const script = readFileSync(await (await saved).path(), 'utf8');
  for (const link of await models.getByRole('link').all())
    assert.ok(script.includes((await link.getAttribute('href'))!));
  await dialog.getByText('nothing but workflows of custom filters').waitFor();

  await dialog.getByText('Several servers, licences, costs').click();
  await dialog.getByLabel('Further servers').fill(full.url);
  await dialog.getByLabel('What an hour of the GPU costs').fill('1.5');
  await dialog.getByRole('button', { name: 'Test the connection' }).click();
  await dialog.getByText(/It makes: .*face swap/).waitFor();
  await dialog.getByRole('button', { name: 'Add the engine' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { engines } = JSON.parse(readFileSync(join(own.dataDir, 'engines.json'), 'utf8'));
  assert.deepEqual(
    engines.rack.servers.map(({ url, gpu_hour_price }: Record<string, unknown>) => [url, gpu_hour_price]),
    [empty.url, full.url].map((url) => [url, 1.5]),
  );

  await rowOf('rack').getByRole('button', { name: 'Set up rack again' }).click();
  const again = page.getByRole('dialog', { name: 'Set up rack again' });
  await again.getByText('Several servers, licences, costs').click();
  assert.equal(await again.getByLabel('Further servers').inputValue(), full.url);
  await again.getByLabel('Further servers').fill('');
  await again.getByLabel('Address', { exact: true }).fill(full.url);
  await again.getByRole('button', { name: 'Test the connection' }).click();
  await again.getByText('It has every file of the set.').waitFor();
  await again.getByRole('button', { name: 'Save' }).click();
  await again.waitFor({ state: 'detached' });
  assert.match(readFileSync(join(own.dataDir, 'engines.json'), 'utf8'), /"gpu_hour_price": 1\.5/);
  await Promise.all([empty.stop(), full.stop()]);
});

test('a rented endpoint says whether it takes the key, and shows the set and the script for its volume', async () => {
  const endpoint = await runpodServer();
  await page.getByRole('button', { name: 'Add an engine' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an engine' });
  await dialog.getByLabel('Kind').selectOption('A rented GPU at RunPod');
  await dialog.getByLabel('Name').fill('cloud');
  await dialog.getByLabel('Address', { exact: true }).fill(endpoint.endpoint);
  await dialog.getByLabel('Videos').check();
  const test = dialog.getByRole('button', { name: 'Test the connection' });
  assert.equal(await test.isDisabled(), true, 'without a key');
  await dialog.getByLabel('API key').fill('another');
  await test.click();
  await dialog.getByText('It refuses the key.').waitFor();
  await dialog.getByLabel('API key').fill(endpoint.key);
  await test.click();
  await dialog.getByText('answers, the key is good').waitFor();
  const models = dialog.getByRole('region', { name: 'Set of models' });
  const size = models.getByText(/Its volume needs the set for its graphics card, about \d+ GB/);
  const usual = await size.innerText();
  await models.getByLabel('Graphics card').selectOption('8 GB');
  await size.filter({ hasNotText: usual }).waitFor();
  await dialog.getByText(/It makes: [a-z ,0-9]*video/).waitFor();
  await checkAllWidths(page);
  const saved = page.waitForEvent('download');
  await models.getByRole('button', { name: 'Save a script' }).click();
  assert.match(readFileSync(await (await saved).path(), 'utf8'), /wan2\.2/);
  await dialog.getByRole('button', { name: 'Add the engine' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { engines, routes } = JSON.parse(readFileSync(join(own.dataDir, 'engines.json'), 'utf8'));
  assert.equal(engines.cloud.endpoint, endpoint.endpoint);
  assert.ok(routes.some(({ engine, workflow }: Record<string, unknown>) => engine === 'cloud' && workflow));
  await endpoint.stop();
});

test('where its folder is on this machine, models are downloaded with a bar, and can be stopped', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-comfyui-models-'));
  mkdirSync(join(folder, 'vae'));
  const here = await inventoryServer(referenceNodes([]), { version: '0.27.0', vramGb: 8, models: folder });
  // Nothing is fetched from the internet here: test/app/engine-downloads.test.ts downloads from a server of its own.
  const first: EngineDownload = { running: null, last: null };
  const file = 'flux-2-klein-4b-fp8.safetensors';
  const half = { engine: 'here', file, number: 1, files: 3, done: 2e9, total: 4e9 };
  let state = first;
  await page.route('**/v1/engine_downloads', (route, request) => {
    if (request.method() === 'POST') state = { running: half, last: null };
    if (request.method() === 'DELETE') {
      state = { running: null, last: { engine: 'here', left: [file], error: 'The download was stopped.' } };
      return route.fulfill({ status: 204 });
    }
    return route.fulfill({ status: request.method() === 'POST' ? 202 : 200, json: state });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Add an engine' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an engine' });
  await dialog.getByLabel('Name').fill('here');
  await dialog.getByLabel('Address', { exact: true }).fill(here.url);
  await dialog.getByRole('button', { name: 'Test the connection' }).click();
  await dialog.getByText(`Downloaded by this machine, to ${folder}.`).waitFor();
  await dialog.getByRole('button', { name: /^Download \d+\.\d GB$/ }).click();
  const bar = dialog.getByRole('progressbar', { name: `Models for here, 1 of 3: ${file}` });
  await bar.waitFor();
  assert.equal(await bar.getAttribute('aria-valuenow'), '50');
  await checkAllWidths(page);
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('progressbar', { name: /Models for here/ }).waitFor();
  await page.getByRole('button', { name: 'Stop the download' }).click();
  await page.getByText(`Left for the script: ${file}.`).waitFor();
  await page.unroute('**/v1/engine_downloads');
  await here.stop();
  rmSync(folder, { recursive: true });
});

test('every workflow of an engine is tried on a sample photo, and shows its picture or why there is none', async () => {
  const row = rowOf('tried');
  await row.getByRole('button', { name: 'Try its 2 workflows' }).click();
  const cards = row.getByRole('list', { name: 'What its workflows make' }).getByRole('listitem');
  const picture = cards.getByRole('img', { name: 'What ./portrait.json made of the sample' });
  await picture.waitFor();
  await cards.getByText(/does not run on the GPU servers/).waitFor();
  await row.getByRole('button', { name: 'Try its workflows again' }).waitFor();
  const width = await picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return image.naturalWidth;
  });
  assert.equal(width, 1200);
  await cards.getByText(/face swap v6, [\d.]+ s, [\d.]+ s of GPU, \$[\d.]+/).waitFor();
  await checkAllWidths(page);
  await page.reload();
  await picture.waitFor();
});
