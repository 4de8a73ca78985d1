import type { Command } from 'commander';
import { example } from '../../example.ts';
import { jsonOption, limitOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { withRecords } from '../../with-records.ts';

export function addWebhooksEndpoints(webhooks: Command): void {
  webhooks
    .command('endpoints')
    .description(
      'List webhook endpoints of all accounts that fail or are disabled, those failing longest first.',
    )
    .addOption(limitOption())
    .addOption(jsonOption())
    .addHelpText('after', example('guise webhooks endpoints'))
    .action(runWebhooksEndpoints);
}

async function runWebhooksEndpoints({ limit, json }: { limit: number; json?: boolean }): Promise<void> {
  const { endpointOf } = await import('../../../jobs/webhooks/read-webhooks.ts');
  const { listFailingEndpoints } = await import('../../../store/webhooks/endpoint-records.ts');
  const rows = await withRecords((db) => db.all(listFailingEndpoints, { limit }));
  const endpoints = rows.map((row) => ({ ...endpointOf(row), email: row.email }));
  printResult(
    json,
    endpoints,
    endpoints.map(({ id, status, failures, failing_since, email, url }) =>
      [id, status.padEnd(8), `failures ${failures} since ${failing_since}`, email, url].join('  '),
    ),
  );
}
