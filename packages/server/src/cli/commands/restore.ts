import type { Command } from 'commander';
import { example } from '../example.ts';
import { jsonOption } from '../options.ts';
import { printResult } from '../print-result.ts';
import { progressBar } from '../progress-bar.ts';
import { readSettings } from '../read-settings.ts';

export function addRestore(guise: Command): void {
  guise
    .command('restore')
    .summary('Put the installation of a backup into the data folder.')
    .description(
      'Put the installation of a backup into the data folder. Stop the server first. Nothing is changed before the whole archive is checked.',
    )
    .argument('<file>', 'The archive that "guise backup" has written.')
    .option('--replace', 'Set the installation aside that is in the data folder.')
    .addOption(jsonOption())
    .addHelpText('after', example('GUISE_DATA_DIR=./restored guise restore /mnt/usb/guise.tar'))
    .action(runRestore);
}

interface Options {
  replace?: boolean;
  json?: boolean;
}

async function runRestore(file: string, { replace = false, json }: Options): Promise<void> {
  const { restoreBackup } = await import('../../backups/restore-backup.ts');
  const { assertEmbedded } = await import('../../backups/backup-archive.ts');
  const { openBlobs } = await import('../../app/storage.ts');
  const config = await readSettings();
  assertEmbedded(config);
  const { dataDir } = config;
  const bar = progressBar();
  const options = { replace, show: bar.show };
  const restored = await restoreBackup(dataDir, () => openBlobs(config), file, options).finally(bar.end);
  printResult(json, { data_dir: dataDir, ...restored }, [
    `${dataDir} is as it was on ${restored.madeAt}, with ${restored.blobs} photos and pictures. Start the server.`,
    ...(restored.replaced === null
      ? []
      : [`What was there is in ${restored.replaced}. Delete that folder when you do not need it any more.`]),
  ]);
}
