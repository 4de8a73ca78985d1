import type { Command } from 'commander';
import { example } from '../../example.ts';
import { jsonOption, limitOption } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { withRecords } from '../../with-records.ts';

export function addJobsDead(jobs: Command): void {
  jobs
    .command('dead')
    .summary('List jobs that failed through a fault of the server.')
    .description('List the dead letters: jobs that failed through a fault of the server, with the reason.')
    .addOption(limitOption())
    .addOption(jsonOption())
    .addHelpText('after', example('guise jobs dead --limit 10'))
    .action(runJobsDead);
}

async function runJobsDead({ limit, json }: { limit: number; json?: boolean }): Promise<void> {
  const { isoTime } = await import('../../../iso-time.ts');
  const { listDeadLetters } = await import('../../../store/dead-letters.ts');
  const rows = await withRecords((db) => db.all(listDeadLetters, { limit }));
  const letters = rows.map((row) => ({ ...row, created_at: isoTime(row.created_at) }));
  printResult(
    json,
    letters,
    letters.map(({ job_id, created_at, family, retries, losses, reason }) => {
      const [firstLine] = reason.split('\n');
      return `${job_id}  ${created_at}  ${family}  retries ${retries}, losses ${losses}  ${firstLine}`;
    }),
  );
}
