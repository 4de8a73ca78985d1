import { UsageGrouping } from '@guise/contract/usage.ts';
import { z } from 'zod';
import type { AddTools } from './mcp-tools.ts';
import { dataResult, withToolErrors } from './tool-result.ts';

export const addAccountTools: AddTools = (server, { guise }) => {
  server.registerTool(
    'read_usage',
    {
      title: 'Read usage',
      description: 'The balance of credits, and jobs and credits of the last 30 days or another time.',
      inputSchema: z.object({
        by: UsageGrouping.default('day'),
        from: z.iso.datetime().optional(),
        to: z.iso.datetime().optional(),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ by, from, to }, context) =>
      withToolErrors(async () => {
        const { signal } = context.mcpReq;
        const [{ balance }, usage] = await Promise.all([
          guise.account.credits(undefined, signal),
          guise.usage.read({ by, from, to }, signal),
        ]);
        return dataResult({ balance, ...usage });
      }),
  );
};
