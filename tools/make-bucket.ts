import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { readConfig } from '@guise/server/config.ts';

/** Makes the bucket that GUISE_BLOBS names, if it is not there: for S3 servers that come without one. */
const { s3 } = readConfig(process.env);
if (!s3) throw new Error('GUISE_BLOBS names no bucket');
const client = new S3Client({
  region: s3.region,
  forcePathStyle: s3.pathStyle,
  ...(s3.endpoint && { endpoint: s3.endpoint }),
  ...(s3.keyId && { credentials: { accessKeyId: s3.keyId, secretAccessKey: s3.secret } }),
});
try {
  await client.send(new CreateBucketCommand({ Bucket: s3.bucket }));
  console.log(`The bucket ${s3.bucket} is made.`);
} catch (error) {
  const { name } = error as Error;
  if (name !== 'BucketAlreadyOwnedByYou' && name !== 'BucketAlreadyExists') throw error;
  console.log(`The bucket ${s3.bucket} is there.`);
}
