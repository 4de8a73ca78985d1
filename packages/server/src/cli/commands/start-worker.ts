import type { Command } from 'commander';
import { example } from '../example.ts';
import { wholeNumber } from '../options.ts';
import { outliveShortage } from '../outlive-shortage.ts';
import { readSettings } from '../read-settings.ts';
import { stopOnSignal } from '../stop-on-signal.ts';
import { warnOfLocalBlobs } from '../warn-of-local-blobs.ts';

export function addStartWorker(guise: Command): void {
  guise
    .command('worker')
    .description('Do the jobs that API nodes accept.')
    .option('--engines <names>', 'Use only these engines, such as local,gpu. Default: all of GUISE_ENGINES.')
    .option(
      '--concurrency <count>',
      'Jobs that run on this machine at once. Default: GUISE_CONCURRENCY.',
      wholeNumber('--concurrency', 1, 64),
    )
    .addHelpText('after', example('guise worker --engines local --concurrency 4'))
    .action(runWorker);
}

interface WorkerOptions {
  engines?: string;
  concurrency?: number;
}

async function runWorker({ engines, concurrency }: WorkerOptions): Promise<void> {
  const { assertDescriptors } = await import('../../app/start-faults.ts');
  assertDescriptors();
  const { startWorkerNode } = await import('../../app/worker-node.ts');
  const { loadEngines } = await import('../load-engines.ts');
  const settings = await readSettings();
  const config = { ...settings, concurrency: concurrency ?? settings.concurrency };
  const only = engines?.split(',').map((name) => name.trim());
  const worker = await startWorkerNode(config, await loadEngines(config, only));
  outliveShortage();
  stopOnSignal(worker);
  warnOfLocalBlobs(config);
  console.log(`Guise works on ${config.concurrency} jobs at once with ${worker.engines.join(', ')}.`);
}
