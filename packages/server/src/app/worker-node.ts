import type { Config } from '../config.ts';
import type { Engine } from '../engines/engine.ts';
import { makePausable } from '../engines/paused-engines.ts';
import { layEventOverlay } from '../events/event-overlays.ts';
import { followEnginePauses } from '../jobs/engine-states/engine-pauses.ts';
import type { FinishResult } from '../jobs/job-hooks.ts';
import { type JobMetrics, noJobMetrics } from '../jobs/job-metrics.ts';
import { watchServers } from '../jobs/server-states.ts';
import { startWorker } from '../jobs/worker-loop.ts';
import { type Announcement, announce } from '../jobs/worker-registry.ts';
import { createPreviewWork } from '../previews/preview-work.ts';
import type { ResultSigner } from '../provenance/result-signer.ts';
import { letHeapDouble } from './heap-growth.ts';
import { type ServiceNode, shutdownGraceMs, startOnNode } from './node.ts';
import { openSigner } from './open-signer.ts';
import { assertMakesSomething, assertShared } from './settings-checks.ts';

export type MakeEngines = (config: Config) => Engine[];

export interface WorkerNode {
  /** Names of the engines that make something here. */
  engines: string[];
  stop(): Promise<void>;
}

/** Does the jobs that other processes accept. */
export async function startWorkerNode(config: Config, makeEngines: MakeEngines): Promise<WorkerNode> {
  assertShared(config, 'worker');
  return startOnNode(config, async (node) => {
    const signer = await openSigner(node);
    const engines = makeEngines(config);
    assertMakesSomething(engines);
    const worker = await startJobWorker(node, engines, signer);
    const busy = engines.filter(({ abilities }) => abilities.length > 0);
    return {
      engines: [...new Set(busy.map(({ name }) => name))],
      async stop() {
        await worker.stop();
        await node.close();
      },
    };
  });
}

/** Claims jobs and previews for the engines of this process, on a node that is open. */
export async function startJobWorker(
  node: ServiceNode,
  made: readonly Engine[],
  signer: ResultSigner,
  metrics: JobMetrics = noJobMetrics,
): Promise<{ stop(): Promise<void> }> {
  const { config, db, log, shared } = node;
  const engines = made.map(makePausable);
  const finishResult: FinishResult = (job, made, run) => layEventOverlay(node, job, made, run);
  const parts = { ...node, isAlone: !shared, engines, finishResult, signer, metrics };
  let announcement: Announcement | undefined;
  const pauses = await followEnginePauses(node, engines, () => void announcement?.refresh());
  const worker = startWorker(parts, config.concurrency, createPreviewWork(parts));
  announcement = await announce({ db, log }, engines, config.concurrency, worker.running);
  watchServers(engines, log, () => void announcement?.refresh());
  letHeapDouble();
  return {
    async stop() {
      pauses.stop();
      await announcement?.drain();
      await worker.stop(shutdownGraceMs);
      await Promise.all([...engines.map((engine) => engine.close()), signer.stop()]);
      await announcement?.end();
    },
  };
}
