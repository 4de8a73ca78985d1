import type { Command } from 'commander';
import type { App } from '../../app/api-node.ts';
import type { StoredSettings } from '../../config.ts';
import { example } from '../example.ts';
import { outliveShortage } from '../outlive-shortage.ts';
import { readSettings } from '../read-settings.ts';
import { stopOnSignal } from '../stop-on-signal.ts';
import { welcomeText } from '../welcome.ts';

export function addStart(guise: Command): void {
  guise
    .command('start')
    .description('Serve the API and do the jobs, in one process.')
    .option('--open', 'Open the studio in the browser of this machine.')
    .addHelpText('after', example('PORT=8081 guise start'))
    .action(runStart);
}

async function runStart({ open }: { open?: boolean }): Promise<void> {
  const { assertDescriptors } = await import('../../app/start-faults.ts');
  assertDescriptors();
  const { holdNewSpace } = await import('../../app/heap-growth.ts');
  holdNewSpace();
  const { startRestartableApp } = await import('../../app/restarts/restartable-app.ts');
  const { loadEngines } = await import('../load-engines.ts');
  const read = async (stored?: StoredSettings) => {
    const config = await readSettings({}, stored);
    return { config, makeEngines: await loadEngines(config) };
  };
  const { buildStaleWebApps } = await import('../../app/build-web-apps.ts');
  await buildStaleWebApps(console);
  const welcome = (app: App) => console.log(welcomeText(app));
  const { app, ...running } = await startRestartableApp(read, welcome);
  outliveShortage();
  stopOnSignal(running);
  welcome(app);
  if (open) {
    const { openInBrowser } = await import('../../platform.ts');
    openInBrowser(app.signInLink ?? app.url);
  }
  await running.failed;
}
