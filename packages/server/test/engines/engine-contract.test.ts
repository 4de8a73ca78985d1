import { readFileSync, rmSync } from 'node:fs';
import sharp from 'sharp';
import { onePerson } from '../../../engine/test/support/sample-photos.ts';
import { localEngine } from '../../src/engines/local/local-engine.ts';
import { comfyuiServer } from '../support/comfyui-server.ts';
import { falServer } from '../support/fal-server.ts';
import { temporaryConfig } from '../support/harness.ts';
import { falPlan, openaiImagesPlan } from '../support/hosted.ts';
import { openaiImagesServer } from '../support/openai-images-server.ts';
import { comfyuiPlan, remoteEngines, runpodPlan } from '../support/remote.ts';
import { runpodServer } from '../support/runpod-server.ts';
import { testEngineSeam } from './engine-contract.ts';

const person = async () => readFileSync(await onePerson());
/** The fake servers hand the photo back, so it may be small, but must not be the same on both sides. */
const small = async () =>
  sharp(await person())
    .resize(96, 160)
    .jpeg()
    .toBuffer();

testEngineSeam('local', person, async () => {
  // One child: what a pool does with several is in pool.test.ts and local/processes.test.ts.
  const config = temporaryConfig({ concurrency: 1 });
  const engine = localEngine(config);
  const close = async () => {
    await engine.close();
    rmSync(config.dataDir, { recursive: true, force: true });
  };
  return { engines: [engine], close };
});

testEngineSeam('comfyui', small, async () => {
  const server = await comfyuiServer({ gpus: 2 });
  const engines = remoteEngines(comfyuiPlan([server]));
  const close = async () => {
    await Promise.all(engines.map((engine) => engine.close()));
    await server.stop();
  };
  return { engines, close };
});

for (const results of ['base64', 's3_url'] as const) {
  testEngineSeam(`runpod with results as ${results}`, small, async () => {
    const server = await runpodServer({ results });
    const engines = remoteEngines(runpodPlan(server));
    const close = async () => {
      await Promise.all(engines.map((engine) => engine.close()));
      await server.stop();
    };
    return { engines, close };
  });
}

testEngineSeam('openai_images', small, async () => {
  const server = await openaiImagesServer();
  const engines = remoteEngines(openaiImagesPlan(server));
  const close = async () => {
    await Promise.all(engines.map((engine) => engine.close()));
    await server.stop();
  };
  return { engines, close };
});

testEngineSeam('fal', small, async () => {
  const server = await falServer();
  const engines = remoteEngines(falPlan(server));
  const close = async () => {
    await Promise.all(engines.map((engine) => engine.close()));
    await server.stop();
  };
  return { engines, close };
});
