import type { Command } from 'commander';
import { example } from '../example.ts';
import { jsonOption } from '../options.ts';
import { printResult } from '../print-result.ts';
import { withRecords } from '../with-records.ts';

export function addWorkers(guise: Command): void {
  guise
    .command('workers')
    .description('List the workers that are alive and what they make.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise workers --json'))
    .action(runWorkers);
}

async function runWorkers({ json }: { json?: boolean }): Promise<void> {
  const { isoTime } = await import('../../iso-time.ts');
  const { readWorkers } = await import('../../jobs/worker-registry.ts');
  const workers = (await withRecords((db) => readWorkers(db))).map((worker) => ({
    ...worker,
    started_at: isoTime(worker.started_at),
    beat_at: isoTime(worker.beat_at),
  }));
  printResult(
    json,
    workers,
    workers.map(({ id, host, pid, engines, running, concurrency, draining, started_at }) => {
      const made = engines.map(({ name, abilities }) => `${name} (${abilities.length} families)`).join(', ');
      const state = draining ? 'draining' : 'working ';
      return `${id}  ${host}:${pid}  ${running}/${concurrency}  ${state}  since ${started_at}  ${made}`;
    }),
  );
}
