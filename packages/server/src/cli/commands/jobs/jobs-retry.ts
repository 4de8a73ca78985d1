import type { Command } from 'commander';
import { example } from '../../example.ts';
import { jsonOption, requireOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { readSettings } from '../../read-settings.ts';

export function addJobsRetry(jobs: Command): void {
  jobs
    .command('retry')
    .summary('Take a running job from the worker that holds it.')
    .description(
      'Take a running job from the worker that holds it, for another one. A job that has ended was refunded and cannot be retried.',
    )
    .option('--id <job>', 'Id of the job. Required.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise jobs retry --id 01a1dd2e-…'))
    .action(runJobsRetry);
}

async function runJobsRetry(options: { id?: string; json?: boolean }): Promise<void> {
  const id = requireOption('--id', options.id);
  const { openStorage } = await import('../../../app/storage.ts');
  const { retryJob } = await import('../../../jobs/retry-job.ts');
  const storage = await openStorage(await readSettings());
  try {
    await retryJob(storage, id);
  } finally {
    await storage.close();
  }
  printResult(options.json, { id, state: 'queued' }, [`${id} waits for another worker.`]);
}
