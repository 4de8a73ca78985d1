import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEngines } from '../../../src/engines/engines.ts';
import { comfyuiServer } from '../../support/comfyui-server.ts';
import { temporaryConfig } from '../../support/harness.ts';
import { comfyuiPlan, withShortWaits } from '../../support/remote.ts';

test('what was opened is closed where another route cannot be used', async () => {
  const server = await comfyuiServer();
  const [first] = comfyuiPlan([server]).routes.filter(({ workflows }) => workflows.length > 0);
  const routes = [{ ...first!, families: ['single_frame_video' as const], share: 0.5 }, first!];
  const plan = withShortWaits({ ...comfyuiPlan([server]), routes }, { timeLimits: { healthMs: 10 } });
  assert.throws(() => createEngines(temporaryConfig(), plan), /has a share, and no route after it/);
  // Its health would be asked for some thirty times.
  await sleep(300);
  assert.ok(server.requests.length <= 1, String(server.requests.length));
  await server.stop();
});
