import { type Command, Option } from 'commander';
import { example } from '../../example.ts';
import { jsonOption, limitOption, oneOf } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { withRecords } from '../../with-records.ts';

const states = ['pending', 'delivered', 'failed', 'disabled'] as const;

export function addWebhooksList(webhooks: Command): void {
  webhooks
    .command('list')
    .description('List webhook deliveries of all accounts, newest first.')
    .addOption(
      new Option('--state <state>', 'Which deliveries.')
        .choices(states)
        .default('pending')
        .argParser(oneOf('--state', states)),
    )
    .addOption(limitOption())
    .addOption(jsonOption())
    .addHelpText('after', example('guise webhooks list --state failed'))
    .action(runWebhooksList);
}

interface WebhooksListOptions {
  state: (typeof states)[number];
  limit: number;
  json?: boolean;
}

async function runWebhooksList({ state, limit, json }: WebhooksListOptions): Promise<void> {
  const { deliveryOf } = await import('../../../jobs/webhooks/read-webhooks.ts');
  const { listDeliveriesByState } = await import('../../../store/webhooks/delivery-records.ts');
  const rows = await withRecords((db) => db.all(listDeliveriesByState, { state, limit }));
  const deliveries = rows.map((row) => ({ ...deliveryOf(row), email: row.email }));
  printResult(
    json,
    deliveries,
    deliveries.map(({ id, created_at, status, email, url, attempts, last_error }) =>
      [id, created_at, status.padEnd(9), email, url, `attempts ${attempts}`, last_error ?? '']
        .join('  ')
        .trim(),
    ),
  );
}
