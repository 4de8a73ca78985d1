import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { TimeLimits } from '@guise/server/engines/comfyui/time-limits.ts';
import { createEngines } from '@guise/server/engines/engines.ts';
import { comfyuiServer } from '../../packages/server/test/support/comfyui-server.ts';
import { photo, startTestServer } from '../../packages/server/test/support/harness.ts';
import { comfyuiPlan, withShortWaits } from '../../packages/server/test/support/remote.ts';

/**
 * Jobs over three ComfyUI servers while two of them are killed and restarted: all must end COMPLETED, and none may
 * run twice unless the server it ran on lost it. A prompt's job is told by its seed, which every job has its own of:
 * `npm run test:fleet -- --jobs 200 --kills 12`.
 */
export async function runFleet(options: {
  jobs: number;
  kills: number;
  nodeMs: number;
  /** What every job raises on the last server, which frees up fastest and so attracts the work. */
  raise?: { type: string; message: string };
  timeLimits?: Partial<TimeLimits>;
}) {
  const servers = await Promise.all([0, 1, 2].map(() => comfyuiServer({ nodeMs: options.nodeMs })));
  servers[2]!.faults.raise = options.raise ?? null;
  const service = await startTestServer({}, (config) =>
    createEngines(config, withShortWaits(comfyuiPlan(servers), options)),
  );
  const account = await service.account(options.jobs * 3);
  const body = { input_image: photo, style_id: 1, outpaint: false };
  const began = Date.now();

  let done = 0;
  const job = async () => {
    const { id } = (await account.call('POST', '/v5/run/multi_swap', body)).body;
    for (;;) {
      const { body: answer } = await account.call('POST', `/v5/status_multi_swap/${id}`, undefined, {
        prefer: 'wait=30',
      });
      if (answer.status !== 'COMPLETED' && answer.status !== 'FAILED') continue;
      done++;
      return { status: answer.status as string, error: answer.error as string | undefined };
    }
  };
  const jobs = Promise.all(Array.from({ length: options.jobs }, job));

  let kills = 0;
  for (; kills < options.kills && done < options.jobs; kills++) {
    // Spread over the work, and only into servers that are at something.
    const victim = servers[kills % 2]!;
    const due = ((kills + 1) * options.jobs) / (options.kills + 1);
    while (done < options.jobs && (done < due || victim.queue().length === 0)) await sleep(5);
    await victim.kill();
    await sleep(100 + 200 * (kills % 3));
    await victim.start();
  }
  const ends = await jobs;

  const lost = new Set(servers.flatMap((server) => server.lost));
  const prompts = servers.flatMap((server) =>
    server.accepted.map((id) => ({ id, seed: Number(server.graphs.get(id)!['7']!.inputs!.seed) })),
  );
  const twice = [...Map.groupBy(prompts, ({ seed }) => seed).values()].filter(
    (runs) => runs.filter(({ id }) => !lost.has(id)).length > 1,
  );
  const result = {
    jobs: options.jobs,
    kills,
    completed: ends.filter(({ status }) => status === 'COMPLETED').length,
    errors: [...new Set(ends.flatMap(({ error }) => error ?? []))],
    prompts: prompts.length,
    lost: prompts.filter(({ id }) => lost.has(id)).length,
    twice: twice.length,
    perServer: servers.map((server) => server.finished.length),
    credits: await account.credits(),
    seconds: (Date.now() - began) / 1000,
  };
  await service.stop();
  await Promise.all(servers.map((server) => server.stop()));
  return result;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { jobs: { type: 'string' }, kills: { type: 'string' } } });
  const result = await runFleet({
    jobs: Number(values.jobs ?? 200),
    kills: Number(values.kills ?? 12),
    nodeMs: 20,
  });
  console.log(JSON.stringify(result, null, 2));
  assert.equal(result.completed, result.jobs);
  assert.equal(result.twice, 0);
  assert.equal(result.credits, 0);
}
