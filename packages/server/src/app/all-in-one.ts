import type { Config } from '../config.ts';
import { deferredMetrics } from '../http/deferred-metrics.ts';
import type { HttpLimits } from '../http/server.ts';
import { requeueExpired } from '../jobs/requeue-expired.ts';
import { resetPreviewQueue } from '../previews/preview-queue.ts';
import { type App, serveApi } from './api-node.ts';
import { type NodeOptions, startOnNode } from './node.ts';
import { openSigner } from './open-signer.ts';
import type { Restarts } from './restarts/restarts.ts';
import { type MakeEngines, startJobWorker } from './worker-node.ts';

export interface AppOptions extends NodeOptions {
  limits?: HttpLimits | undefined;
  /** Where it can be started again. */
  restarts?: Restarts;
}

/** Serves the API and does the jobs, in one process. */
export async function startApp(
  config: Config,
  makeEngines: MakeEngines,
  { limits, restarts, ...options }: AppOptions = {},
): Promise<App> {
  return startOnNode(
    config,
    async (node) => {
      const signer = await openSigner(node);
      const engines = makeEngines(config);
      if (!node.shared) {
        // The lock says that no other server has this folder: whoever held these jobs is gone.
        await requeueExpired(node, Number.MAX_SAFE_INTEGER);
        await resetPreviewQueue(node.db);
      }
      const metrics = deferredMetrics(node);
      const api = await serveApi(node, { engines, metrics, limits, restarts });
      const worker = await startJobWorker(node, engines, signer, metrics.jobs);
      api.markReady();
      return {
        url: api.url,
        demoKey: api.demoKey,
        signInLink: api.signInLink,
        async stop() {
          await Promise.all([api.stop(), worker.stop()]);
          await node.close();
        },
      };
    },
    options,
  );
}
