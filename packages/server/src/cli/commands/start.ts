import type { Command } from 'commander';
import { example } from '../example.ts';
import { outliveDescriptorShortage } from '../outlive-descriptor-shortage.ts';
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
  const { startApp } = await import('../../app/all-in-one.ts');
  const { loadEngines } = await import('../load-engines.ts');
  const settings = await readSettings();
  const { buildStaleWebApps } = await import('../../app/build-web-apps.ts');
  await buildStaleWebApps(console);
  const app = await startApp(settings, await loadEngines(settings));
  outliveDescriptorShortage();
  stopOnSignal(app);
  console.log(welcomeText(app));
  if (!open) return;
  const { openInBrowser } = await import('../../platform.ts');
  openInBrowser(app.signInLink ?? app.url);
}
