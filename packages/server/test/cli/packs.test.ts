import assert from 'node:assert/strict';
import { cp, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readPrompt } from '@guise/engine/prompt/prompt.ts';
import { readScenes } from '@guise/engine/scenes/scenes.ts';
import sharp from 'sharp';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import { listPacks } from '../../src/catalog/packs/describe-pack.ts';
import { importPack, removePack } from '../../src/catalog/packs/import-pack.ts';
import { AppError } from '../../src/errors.ts';
import { guiseInProcess, guiseProcess } from '../support/command-line.ts';
import { photo, startTestServer, temporaryConfig } from '../support/harness.ts';
import {
  filters,
  flatPicture,
  goodPack,
  ownScene,
  type Part,
  packsFolder,
  pictures,
  scene,
  smallPack,
  toWebp,
  writeCostume,
  writeFilter,
} from './make-pack.ts';

const own = new URL('../../../../catalog/filters.json', import.meta.url);
const madePreview = async () => pictures.layer;

test('a pack is imported: listed, served with its previews, and runs are checked by its modes', async () => {
  const config = temporaryConfig();
  const pack = await importPack(config, await goodPack(), madePreview);
  assert.deepEqual(pack.scenes, ['beach-bar']);
  assert.deepEqual(pack.costumes, ['bartender']);
  assert.deepEqual(await listPacks(config), [pack]);

  const server = await startTestServer(config);
  try {
    const guest = await server.account();
    const { body: list } = await guest.call('GET', '/v6/filters');
    const entry = list.find((filter: { id: string }) => filter.id === '5002');
    assert.equal(entry.name, 'Bartender');
    assert.deepEqual(entry.modes, ['single']);
    const shown = await fetch(entry.preview_url);
    assert.equal(shown.status, 200);
    assert.deepEqual(Buffer.from(await shown.arrayBuffer()), pictures.layer);
    const { body: styles } = await guest.call('GET', '/v1/realistic_multiswap_styles/');
    assert.equal(styles.length, loadCatalog(own).list('realistic').length);
    assert.equal(styles[2].name, 'Beach bar');
    const run = { filter_id: 5002, base64: photo };
    const blocked = await guest.call('POST', '/v6/run/face_swap', { ...run, gender: 4 });
    assert.match(JSON.stringify(blocked.body), /FILTER_BLOCKED/);
    const made = await guest.call('POST', '/v6/run/face_swap', { ...run, gender: 0 });
    assert.ok(made.status < 300, JSON.stringify(made.body));
    const custom = await guest.call('POST', '/v1/users/me/my-custom-filters', {
      name: 'Mine',
      filter_type: 'face_swap',
      definition: { kind: 'scene', scene: 'beach-bar', costume: 'bartender' },
    });
    assert.ok(custom.status < 300, JSON.stringify(custom.body));
  } finally {
    await server.stop();
  }
});

test('prompts find what a pack brings', async () => {
  const pack = await goodPack();
  const scenes = [...(await readScenes([pack])).values()];
  assert.equal(readPrompt('cocktails at a beach bar', { scenes, looks: [] }).scene, 'beach-bar');
});

/** Each way to break a pack, or a part of one, and what the operator is told: the file and the remedy. */
const broken: [string, (pack: string) => Promise<unknown>, RegExp, Part?][] = [
  [
    'a plate is missing',
    (pack) => rm(join(pack, 'scenes/beach-bar/square.webp')),
    /scenes\/beach-bar\/square\.webp: is missing, and scene\.json names it\. Add it/,
  ],
  [
    'a plate is too small',
    async (pack) =>
      writeFile(
        join(pack, 'scenes/beach-bar/portrait.webp'),
        await toWebp(flatPicture(600, 900).removeAlpha()),
      ),
    /portrait\.webp: is 600×900; a portrait plate has at least 1200×1800\. Render it larger/,
  ],
  [
    'a plate has another shape',
    async (pack) => writeFile(join(pack, 'scenes/beach-bar/portrait.webp'), pictures.plates.square),
    /portrait\.webp: is 1280×1280/,
  ],
  [
    'a landscape plate is nearly square',
    async (pack) =>
      writeFile(
        join(pack, 'scenes/beach-bar/landscape.webp'),
        await toWebp(flatPicture(1800, 1500).removeAlpha()),
      ),
    /landscape\.webp: does not have the shape 1800:1200 .* Crop it/,
  ],
  [
    'a picture is cut short',
    (pack) => truncate(join(pack, 'scenes/beach-bar/landscape.webp'), 200),
    /landscape\.webp: cannot be read .* Save it again/,
  ],
  [
    'a picture is none',
    (pack) => writeFile(join(pack, 'costumes/bartender/back.webp'), 'not a picture'),
    /costumes\/bartender\/back\.webp: cannot be read/,
    'costume',
  ],
  [
    'the front layer is none',
    (pack) => writeFile(join(pack, 'costumes/bartender/front.webp'), 'not a picture'),
    /costumes\/bartender\/front\.webp: is not a picture/,
    'costume',
  ],
  [
    'a foreground hides everything',
    async (pack) => writeFile(join(pack, 'scenes/beach-bar/front.webp'), pictures.plates.portrait),
    /front\.webp: has no transparent part .* alpha channel/,
  ],
  [
    'a depth map is coloured',
    async (pack) => writeFile(join(pack, 'scenes/beach-bar/depth.webp'), pictures.plates.portrait),
    /depth\.webp: is coloured; a depth map is grey/,
  ],
  [
    'layers of different sizes',
    async (pack) =>
      writeFile(join(pack, 'costumes/bartender/back.webp'), await toWebp(flatPicture(810, 1200, 0.5))),
    /back\.webp: is 810×1200, the front layer 800×1200\. Layers share one canvas/,
    'costume',
  ],
  [
    'an opaque layer',
    async (pack) =>
      writeFile(
        join(pack, 'costumes/bartender/back.webp'),
        await toWebp(flatPicture(800, 1200).removeAlpha()),
      ),
    /back\.webp: has no transparent part/,
    'costume',
  ],
  [
    'bad JSON',
    (pack) => writeFile(join(pack, 'scenes/beach-bar/scene.json'), '{"title": '),
    /scenes\/beach-bar\/scene\.json: is not readable JSON\. Correct it/,
  ],
  [
    'a field is missing',
    (pack) =>
      writeFile(join(pack, 'scenes/beach-bar/scene.json'), JSON.stringify({ ...scene, light: undefined })),
    /scene\.json: light: .*docs\/catalog\.md describes the field/,
  ],
  [
    'a chin outside of the layers',
    (pack) => writeCostume(pack, { variants: { girl: { head: { chin: [400, 1900], faceHeight: 220 } } } }),
    /costume\.json: head\.chin .* lies outside of the layers/,
    'costume',
  ],
  [
    'a costume for a scene that is not there',
    (pack) => writeCostume(pack, { scenes: ['no-such-bar'] }),
    /costume\.json: there is no scene called no-such-bar/,
    'costume',
  ],
  [
    'bad JSON in the filters',
    (pack) => writeFile(join(pack, 'filters.json'), '[,'),
    /filters\.json: is not readable JSON/,
    'filters',
  ],
  [
    'a filter names a scene that is not there',
    (pack) => writeFilter(pack, { definition: { kind: 'scene', scene: 'no-such-bar' } }),
    /filters\.json: face_swap 5001: there is no scene called no-such-bar/,
    'filters',
  ],
  [
    'a filter names a look that is not there',
    (pack) => writeFilter(pack, { definition: { ...ownScene, look: 'sparkle' } }),
    /there is no look called sparkle/,
    'filters',
  ],
  [
    'a filter names a weather that is not there',
    (pack) => writeFilter(pack, { definition: { ...ownScene, weather: 'frogs' } }),
    /there is no weather called frogs/,
    'filters',
  ],
  [
    'a misspelt field',
    (pack) => writeFilter(pack, { mode: ['single'] }),
    /filters\.json: face_swap\.0: Unrecognized key: "mode"/,
    'filters',
  ],
  [
    'an id of the catalog',
    (pack) => writeFilter(pack, { id: 1 }),
    /face_swap 1 .* the id belongs to .* or say "replaces": true/,
    'filters',
  ],
  [
    'an id twice',
    (pack) => writeFilter(pack, { id: 5002 }),
    /face_swap 5002 .* the id belongs to/,
    'filters',
  ],
  [
    'replaces nothing',
    (pack) => writeFilter(pack, { replaces: true }),
    /there is none to replace/,
    'filters',
  ],
  [
    'a style beyond 25',
    (pack) =>
      writeFile(
        join(pack, 'filters.json'),
        JSON.stringify({ stylized: [{ ...filters.face_swap[0], id: 26, definition: ownScene }] }),
      ),
    /stylized 26 .* styles have the ids 1 to 25/,
    'filters',
  ],
  [
    'a name of the catalog',
    (pack) => cp(join(pack, 'scenes/beach-bar'), join(pack, 'scenes/neon-street'), { recursive: true }),
    /scenes\/neon-street\/scene\.json: .* has that name already\. Rename/,
  ],
  [
    'a path out of the folder',
    (pack) =>
      writeFile(
        join(pack, 'scenes/beach-bar/scene.json'),
        JSON.stringify({ ...scene, plates: { ...scene.plates, square: '../../../secret.webp' } }),
      ),
    /scene\.json: plates\.square: must be the plain name of a file/,
  ],
  [
    'an absolute path',
    (pack) => writeCostume(pack, { layers: { back: '/etc/hostname', front: 'front.webp' } }),
    /costume\.json: layers\.back: must be the plain name of a file/,
    'costume',
  ],
  [
    'a link to a file',
    async (pack) => {
      await rm(join(pack, 'scenes/beach-bar/depth.webp'));
      await symlink('/etc/hostname', join(pack, 'scenes/beach-bar/depth.webp'));
    },
    /depth\.webp: is a link; a pack holds its own files/,
  ],
  ['a link to a folder', (pack) => symlink('/etc', join(pack, 'scenes/etc')), /scenes\/etc: is a link/],
  [
    'a huge file',
    (pack) => writeFile(join(pack, 'scenes/beach-bar/portrait.webp'), Buffer.alloc(9_000_000)),
    /portrait\.webp: is too much: a pack has up to 2000 files of 8 MB/,
  ],
  [
    'a large picture',
    (pack) =>
      writeFile(
        join(pack, 'scenes/beach-bar/portrait.webp'),
        Buffer.concat([pictures.plates.portrait, Buffer.alloc(5_000_000)]),
      ),
    /portrait\.webp: has 5\.0 MB, more than the 4\.0 MB/,
  ],
  [
    'files that are no part of a pack',
    (pack) => writeFile(join(pack, 'install.sh'), 'true'),
    /install\.sh: is no part of a pack\. Take it out/,
    'filters',
  ],
  ['nothing in it', (pack) => emptied(pack), /has neither scenes, costumes nor filters/],
];

async function emptied(pack: string): Promise<void> {
  for (const entry of await readdir(pack)) await rm(join(pack, entry), { recursive: true });
}

for (const part of ['costume', 'filters'] as const) {
  test(`a pack of nothing but ${part} is imported, and gone when it is removed`, async () => {
    const config = temporaryConfig();
    await importPack(config, await smallPack(part), madePreview);
    assert.equal((await listPacks(config)).length, 1);
    await removePack(config, 'beach-pack');
    assert.deepEqual(await listPacks(config), []);
    assert.deepEqual(await readdir(join(config.dataDir, 'packs')), []);
    await assert.rejects(removePack(config, 'beach-pack'), /There is no pack called beach-pack/);
    await rm(config.dataDir, { recursive: true });
  });
}

for (const [what, breakIt, told, part] of broken) {
  test(`a pack is refused, and leaves nothing behind: ${what}`, async () => {
    const config = temporaryConfig();
    const pack = part ? await smallPack(part) : await goodPack();
    await breakIt(pack);
    await assert.rejects(importPack(config, pack, madePreview), (error) => {
      assert.ok(error instanceof AppError && error.code === 'CATALOG_BROKEN', String(error));
      assert.match(error.message, told);
      assert.match(error.message, /Nothing was imported\.$/);
      assert.ok(!error.message.includes(config.dataDir), error.message);
      return true;
    });
    assert.deepEqual(await readdir(join(config.dataDir, 'packs')).catch(() => []), []);
    await rm(config.dataDir, { recursive: true });
  });
}

test('a pack with a name that is taken, and a folder that is not there, are refused', async () => {
  const config = temporaryConfig();
  const pack = await goodPack();
  await importPack(config, pack, madePreview);
  await assert.rejects(importPack(config, pack, madePreview), /guise filters remove beach-pack/);
  await assert.rejects(
    importPack(config, join(packsFolder, 'nowhere'), madePreview),
    /is not a folder that can be read/,
  );
  await assert.rejects(
    importPack(config, await goodPack('Bad Name'), madePreview),
    /name such as beach-party/,
  );
  await assert.rejects(
    importPack(config, await goodPack('other-pack'), madePreview),
    /has that name already/,
  );
  assert.deepEqual(await readdir(join(config.dataDir, 'packs')), ['beach-pack']);
  await rm(config.dataDir, { recursive: true });
});

test('the engine makes what a pack brings: its preview is a picture of it', async () => {
  const config = temporaryConfig();
  const pack = await goodPack();
  const [first] = filters.face_swap;
  await writeFile(join(pack, 'filters.json'), JSON.stringify({ face_swap: [first] }));
  await importPack(config, pack);
  const preview = sharp(join(config.dataDir, 'packs/beach-pack/previews/face_swap/5001.webp'));
  const { width, height, format } = await preview.metadata();
  assert.deepEqual({ width, height, format }, { width: 400, height: 600, format: 'webp' });
  // The upper corners show the plate, which is of one colour; the guest stands between them.
  const corner = await preview.extract({ left: 0, top: 0, width: 60, height: 60 }).toBuffer();
  const { channels } = await sharp(corner).stats();
  assert.ok(channels[2]!.mean > channels[0]!.mean + 20, 'the plate is blue');
  await rm(config.dataDir, { recursive: true });
});

test('the command line imports, lists and says what is wrong', async () => {
  const config = temporaryConfig();
  const env = { GUISE_DATA_DIR: config.dataDir };
  const guise = (...words: string[]) => guiseInProcess(env, ...words);
  const pack = await goodPack();
  await writeFile(join(pack, 'filters.json'), '{}');
  const { stdout } = await guiseProcess(env, 'filters', 'import', pack);
  assert.match(stdout, /costume +bartender\n.*after a restart/s);
  const [listed] = JSON.parse((await guise('filters', 'list', '--json')).stdout);
  assert.deepEqual(listed, {
    name: 'beach-pack',
    scenes: ['beach-bar'],
    costumes: ['bartender'],
    filters: [],
  });
  await assert.rejects(guise('filters', 'import', pack), (error: { stderr: string }) =>
    /guise filters remove beach-pack/.test(error.stderr),
  );
  assert.match((await guise('filters', 'remove', 'beach-pack')).stdout, /is removed/);
  await rm(config.dataDir, { recursive: true });
});

test('a pack whose filter cannot be made is refused', async () => {
  const config = temporaryConfig();
  await assert.rejects(
    importPack(config, await smallPack('filters'), async () => {
      throw new AppError('ENGINE_REFUSED', 'No.');
    }),
    /No\./,
  );
  assert.deepEqual(await readdir(join(config.dataDir, 'packs')), []);
  await rm(config.dataDir, { recursive: true });
});
