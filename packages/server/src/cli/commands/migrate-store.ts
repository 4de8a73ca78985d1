import type { Command } from 'commander';
import { example } from '../example.ts';
import { requireOption } from '../options.ts';
import { progressBar } from '../progress-bar.ts';
import { readSettings } from '../read-settings.ts';

export function addMigrateStore(guise: Command): void {
  guise
    .command('migrate-store')
    .summary('Copy this embedded installation to a shared one.')
    .description(
      'Copy this embedded installation to a shared one. Stop the server first; the data folder stays as it is.',
    )
    .option('--to <url>', 'PostgreSQL database to copy the records to. It must be empty. Required.')
    .option(
      '--blobs <address>',
      'S3 bucket to copy photos and results to. Default: they stay in the data folder.',
    )
    .addHelpText(
      'after',
      example('guise migrate-store --to postgres://user:password@host/guise --blobs s3://bucket'),
    )
    .action(runMigrateStore);
}

async function runMigrateStore({ to, blobs = '' }: { to?: string; blobs?: string }): Promise<void> {
  const databaseUrl = requireOption('--to', to);
  const { moveStore } = await import('../../app/move-store.ts');
  // The settings say how to reach the bucket, the command line which.
  const target = await readSettings({ DATABASE_URL: databaseUrl, GUISE_BLOBS: blobs });
  const bar = progressBar();
  try {
    await moveStore(await readSettings(), target, bar.show);
  } finally {
    bar.end();
  }
  console.log('Everything is copied and adds up. The data folder stays as it was.');
}
