import { type Command, Option } from 'commander';
import { example } from '../../example.ts';
import { jsonOption, limitOption, oneOf } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { withRecords } from '../../with-records.ts';

const states = ['queued', 'running', 'completed', 'failed'] as const;

export function addJobsList(jobs: Command): void {
  jobs
    .command('list')
    .description('List jobs of all accounts, newest first.')
    .addOption(
      new Option('--state <state>', 'Which jobs.')
        .choices(states)
        .default('queued')
        .argParser(oneOf('--state', states)),
    )
    .addOption(limitOption())
    .addOption(jsonOption())
    .addHelpText('after', example('guise jobs list --state running'))
    .action(runJobsList);
}

interface JobsListOptions {
  state: (typeof states)[number];
  limit: number;
  json?: boolean;
}

async function runJobsList({ state, limit, json }: JobsListOptions): Promise<void> {
  const { isoTime } = await import('../../../iso-time.ts');
  const { listJobsByState } = await import('../../../store/job-records.ts');
  const rows = await withRecords((db) => db.all(listJobsByState, { state, limit }));
  const jobs = rows.map((row) => ({ ...row, created_at: isoTime(row.created_at) }));
  printResult(
    json,
    jobs,
    jobs.map((job) => {
      const tries = `retries ${job.retries}, losses ${job.losses}`;
      const progress = job.error ?? `${Math.round(job.progress * 100)} %`;
      return `${job.id}  ${job.created_at}  ${job.state.padEnd(9)}  ${job.family}  ${job.email}  ${tries}  ${progress}`;
    }),
  );
}
