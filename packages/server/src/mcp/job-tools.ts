import { z } from 'zod';
import { pathOf, savingOf, waitSeconds, watchJob } from './job-result.ts';
import type { AddTools } from './mcp-tools.ts';
import { withToolErrors } from './tool-result.ts';

export const addJobTools: AddTools = (server, parts) => {
  server.registerTool(
    'watch_job',
    {
      title: 'Watch a job',
      description:
        'Waits for a picture or video that is being made, and answers as the tool that started it does.',
      inputSchema: z.object({ job_id: z.uuid(), wait_seconds: waitSeconds, ...savingOf(parts) }),
      annotations: { readOnlyHint: true },
    },
    ({ job_id, wait_seconds, ...rest }, context) =>
      withToolErrors(() =>
        watchJob(parts, {
          id: job_id,
          waitSeconds: wait_seconds,
          saveTo: pathOf(rest),
          signal: context.mcpReq.signal,
        }),
      ),
  );
};
