import type { Command } from 'commander';
import { example } from '../../example.ts';
import { type ServiceOptions, serviceOptions } from './watch-install.ts';

export function addWatchUninstall(watch: Command): void {
  const uninstall = watch
    .command('uninstall')
    .description('Stop a service that guise watch install made, and remove its definition and its key.');
  for (const option of serviceOptions('It was installed with --system. Needs an administrator.'))
    uninstall.addOption(option);
  uninstall.addHelpText('after', example('guise watch uninstall --name guise-watch')).action(runUninstall);
}

async function runUninstall({ name, system }: ServiceOptions): Promise<void> {
  const { describeService, uninstallService } = await import('../../../watch/service/watch-service.ts');
  await uninstallService(describeService({ name, atStart: system === true, watch: [], photos: '' }));
  process.stdout.write(`${name} is removed. Photos and pictures are where they were.\n`);
}
