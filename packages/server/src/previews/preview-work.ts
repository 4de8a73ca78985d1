import { familyWanted } from '../catalog/filter-renders.ts';
import type { RunParts } from '../jobs/run-job.ts';
import type { SpareWork } from '../jobs/worker-loop.ts';
import { previewQueue } from './preview-queue.ts';
import { runRender } from './run-render.ts';

/** Previews and tests of custom filters as spare work of a worker. */
export function createPreviewWork(parts: RunParts & { shared: boolean }): SpareWork {
  const queue = previewQueue(parts, parts.engines);
  return {
    onEnqueued: queue.onEnqueued,
    async claim(families) {
      const render = await queue.claim(families);
      if (!render) return undefined;
      const run = (shutdown: AbortSignal) =>
        runRender(parts, render, shutdown).catch((error) =>
          parts.log.error({ err: error, render: render.id }, 'a preview could not be ended'),
        );
      return { family: familyWanted(render), run };
    },
  };
}
