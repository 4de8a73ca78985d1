import type { Config } from '../config.ts';

/** For processes that share a database: each must also reach the photos and results of the others. */
export function warnOfLocalBlobs({ s3, dataDir }: Config): void {
  if (!s3) console.warn(`GUISE_BLOBS is not set: every process must have the files in ${dataDir}.`);
}
