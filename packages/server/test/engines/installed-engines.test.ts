import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { FamilyName } from '@guise/contract/families/families.ts';
import { NewEngine, type NewEngineInput } from '@guise/contract/operator.ts';
import { createInstalledEngines, type InstalledEngines } from '../../src/app/installed-engines.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { readEnginesPlan } from '../../src/engines/engines-file.ts';
import { inventoryServer } from '../support/comfyui-inventory.ts';
import { referenceNodes, referenceWeights } from '../support/comfyui-reference-nodes.ts';
import { falServer } from '../support/fal-server.ts';
import { temporaryConfig } from '../support/harness.ts';
import { openaiImagesServer } from '../support/openai-images-server.ts';

interface Added {
  server: { url: string; stop(): Promise<void> };
  /** What an operator fills in beside name and address. */
  fields: Partial<NewEngineInput>;
  says: RegExp;
  family: FamilyName;
  /** What the server says to another key; null where it asks for none. */
  refused: RegExp | null;
}

const kinds: Record<'comfyui' | 'openai_images' | 'fal', () => Promise<Added>> = {
  async comfyui() {
    const server = await inventoryServer(referenceNodes(referenceWeights));
    return {
      server,
      fields: {},
      says: /^ComfyUI 0\.3\.64, \d+ nodes$/,
      family: 'self_prompt_v2',
      refused: null,
    };
  },
  async openai_images() {
    const server = await openaiImagesServer();
    const fields = { key: server.key, model: 'gpt-image-2', photos_leave: true, uses: ['prompts' as const] };
    return { server, fields, says: /key is good/, family: 'self_prompt_v2', refused: /key/i };
  },
  async fal() {
    const server = await falServer();
    const model = 'fal-ai/flux-2/klein/4b/edit';
    const fields = { key: server.key, model, photos_leave: true, uses: ['prompts' as const] };
    return { server, fields, says: /the key is not refused/, family: 'self_prompt_v2', refused: /key/i };
  },
};

for (const [type, start] of Object.entries(kinds))
  describe(`adding an engine of the kind ${type}`, () => {
    let added: Added;
    let config: Config;
    let engines: InstalledEngines;
    const wanted = (fields: object = {}) =>
      NewEngine.parse({ name: 'rack-1', type, url: added.server.url, ...added.fields, ...fields });
    const planOf = () => {
      const env = { GUISE_DATA_DIR: config.dataDir };
      return readEnginesPlan(readConfig(env), env);
    };
    before(async () => {
      added = await start();
      config = temporaryConfig();
      engines = createInstalledEngines(config, true);
    });
    after(async () => {
      await added.server.stop();
      rmSync(config.dataDir, { recursive: true });
    });

    test('asks it, and says what it would make', async () => {
      const tested = await engines.test(wanted());
      assert.equal(tested.ok, true, JSON.stringify(tested));
      assert.match(tested.says, added.says);
      assert.ok(tested.families.includes(added.family), tested.families.join());
      assert.deepEqual(engines.names(), [], 'nothing is kept');
    });

    test('keeps none that does not answer or refuses the key', async () => {
      const wrong = [
        wanted({ url: 'http://127.0.0.1:9' }),
        ...(added.refused ? [wanted({ key: 'another-key' })] : []),
      ];
      for (const one of wrong) {
        assert.equal((await engines.test(one)).ok, false);
        await assert.rejects(engines.add(one), { code: 'ADDRESS_NOT_REACHED' });
      }
      if (added.refused) assert.match((await engines.test(wrong[1]!)).says, added.refused);
      assert.deepEqual(engines.names(), []);
    });

    test('writes what the next start reads, its key apart, and removes both', async () => {
      await engines.add(wanted());
      assert.deepEqual([engines.names(), engines.isPending()], [['rack-1'], true]);
      const { key } = wanted();
      const plan = planOf()!;
      assert.ok(
        plan.routes.some(({ engine, families }) => engine === 'rack-1' && families.includes(added.family)),
      );
      assert.equal(JSON.stringify(plan.engines['rack-1']).includes(key), true);
      assert.ok(key === '' || !readFileSync(join(config.dataDir, 'engines.json'), 'utf8').includes(key));
      assert.equal(statSync(join(config.dataDir, 'engine-keys.json')).mode & 0o777, 0o600);
      await assert.rejects(engines.add(wanted()), { code: 'VALIDATION_ERROR' });
      await engines.remove('rack-1');
      assert.equal(readFileSync(join(config.dataDir, 'engine-keys.json'), 'utf8').trim(), '{}');
      assert.deepEqual(engines.names(), []);
    });
  });
