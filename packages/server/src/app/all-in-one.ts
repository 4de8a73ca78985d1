import type { Config } from '../config.ts';
import { httpMetrics } from '../http/metrics.ts';
import type { HttpLimits } from '../http/server.ts';
import { filterPreviews } from '../jobs/previews.ts';
import { requeueExpired } from '../jobs/requeue-expired.ts';
import { type App, serveApi } from './api-node.ts';
import { startOnNode } from './node.ts';
import { openSigner } from './open-signer.ts';
import { doJobs, type MakeEngines } from './worker-node.ts';

/** Serves the API and does the jobs, in one process. */
export async function startApp(config: Config, makeEngines: MakeEngines, limits?: HttpLimits): Promise<App> {
  return startOnNode(config, async (node) => {
    const signer = await openSigner(node);
    const engines = makeEngines(config);
    const previews = filterPreviews({ ...node, engines });
    // The lock says that no other server has this folder: whoever held these jobs is gone.
    if (!node.shared) await requeueExpired(node, Number.MAX_SAFE_INTEGER);
    const metrics = httpMetrics(node.db, node.failures);
    const api = await serveApi(node, { engines, previews, metrics, limits });
    const worker = await doJobs(node, engines, previews, signer, metrics.jobs);
    api.markReady();
    return {
      url: api.url,
      demoKey: api.demoKey,
      async stop() {
        await Promise.all([api.stop(), worker.stop()]);
        await node.close();
      },
    };
  });
}
