import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../../config.ts';
import { rethrowS3Error, s3ClientConfig } from './blobs-s3.ts';

const there = new Set(['BucketAlreadyOwnedByYou', 'BucketAlreadyExists']);

/** Creates the bucket, and says whether it was not there. */
export async function createBucket(options: S3Settings): Promise<boolean> {
  const client = new S3Client(s3ClientConfig(options, options.endpoint));
  try {
    await client.send(new CreateBucketCommand({ Bucket: options.bucket }));
    return true;
  } catch (error) {
    if (!there.has((error as Error).name)) return rethrowS3Error(error as Error);
    return false;
  } finally {
    client.destroy();
  }
}
