import type { Command } from 'commander';
import { AppError } from '../../errors.ts';
import { example } from '../example.ts';
import { jsonOption } from '../options.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../read-settings.ts';

export function addCreateBucket(guise: Command): void {
  guise
    .command('create-bucket')
    .description('Create the bucket that GUISE_BLOBS names, for S3 servers that come without one.')
    .addOption(jsonOption())
    .addHelpText('after', example('GUISE_BLOBS=s3://bucket guise create-bucket'))
    .action(runCreateBucket);
}

async function runCreateBucket({ json }: { json?: boolean }): Promise<void> {
  const { s3 } = await readSettings();
  if (!s3) throw new AppError('USAGE', 'GUISE_BLOBS names no bucket.');
  const { createBucket } = await import('../../store/shared/s3-bucket.ts');
  const created = await createBucket(s3);
  const { bucket } = s3;
  printResult(json, { bucket, created }, [`The bucket ${bucket} is ${created ? 'made' : 'there'}.`]);
}
