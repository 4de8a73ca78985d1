import type { Command } from 'commander';
import { example } from '../example.ts';
import { outliveShortage } from '../outlive-shortage.ts';
import { readSettings } from '../read-settings.ts';
import { stopOnSignal } from '../stop-on-signal.ts';
import { warnOfLocalBlobs } from '../warn-of-local-blobs.ts';
import { welcomeText } from '../welcome.ts';

export function addStartApi(guise: Command): void {
  guise
    .command('api')
    .summary('Serve the API; workers do the jobs.')
    .description('Serve the API. Workers, which are other processes, do the jobs.')
    .addHelpText('after', example('DATABASE_URL=postgres://… GUISE_BLOBS=s3://… guise api'))
    .action(runApi);
}

async function runApi(): Promise<void> {
  const { assertDescriptors } = await import('../../app/start-faults.ts');
  assertDescriptors();
  const { startApi } = await import('../../app/api-node.ts');
  const config = await readSettings();
  const { buildStaleWebApps } = await import('../../app/build-web-apps.ts');
  await buildStaleWebApps(console);
  const app = await startApi(config);
  outliveShortage();
  stopOnSignal(app);
  warnOfLocalBlobs(config);
  console.log(welcomeText(app));
}
