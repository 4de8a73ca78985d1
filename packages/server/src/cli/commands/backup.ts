import type { Command } from 'commander';
import packageJson from '../../../package.json' with { type: 'json' };
import { example } from '../example.ts';
import { jsonOption } from '../options.ts';
import { printResult } from '../print-result.ts';
import { progressBar } from '../progress-bar.ts';
import { readSettings } from '../read-settings.ts';

export function addBackup(guise: Command): void {
  guise
    .command('backup')
    .summary('Write records, photos, results, packs and models as one archive.')
    .description(
      'Write records, photos, results, packs and models as one archive, while the server runs or not: docs/backups.md. Whoever has the archive has the photos and what the keys are checked against: keep it as safe as the data folder.',
    )
    .argument('[file]', 'The archive to write. Default: guise-TIME.tar in this folder.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise backup /mnt/usb/guise.tar'))
    .action(runBackup);
}

async function runBackup(file: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const { writeBackup } = await import('../../backups/write-backup.ts');
  const { assertEmbedded } = await import('../../backups/backup-archive.ts');
  const { backupNameAt } = await import('../../backups/backup-folder.ts');
  const { skippedSentence } = await import('../../backups/data-files.ts');
  const { openBlobs } = await import('../../app/storage.ts');
  const config = await readSettings();
  assertEmbedded(config);
  const backedUp = {
    dataDir: config.dataDir,
    blobs: await openBlobs(config),
    version: packageJson.version,
  };
  const bar = progressBar();
  const target = file ?? backupNameAt(new Date());
  const written = await writeBackup(backedUp, target, bar.show).finally(bar.end);
  printResult(json, { ...written }, [
    `${written.file}: ${(written.bytes / 1e6).toFixed(1)} MB, ${written.blobs} photos and pictures. Restore it with: guise restore ${written.file}`,
    ...(written.skipped.length > 0 ? [skippedSentence(written.skipped)] : []),
  ]);
}
