import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Settings } from '../../src/config.ts';

/** An S3 server of the test's own, on loopback. It knows one key, and does not check signatures. */
export interface TestS3 {
  endpoint: string;
  /** A bucket with a prefix that nothing else uses. */
  place(): S3Settings;
  stop(): Promise<void>;
}

const bucket = 'guise';
let places = 0;

export async function startS3(): Promise<TestS3> {
  teachDes();
  const { default: S3rver } = (await import('s3rver' as string)) as { default: S3rverClass };
  const directory = mkdtempSync(join(tmpdir(), 'guise-s3-'));
  const rver = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket, configs: [] }] });
  await rver.configureBuckets();
  deleteFilesOnly(rver.store);
  const server = createServer(rver.getMiddleware()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const endpoint = `http://127.0.0.1:${port}`;
  // The one key that s3rver knows.
  const reach = {
    endpoint,
    publicEndpoint: '',
    region: 'us-east-1',
    pathStyle: true,
    keyId: 'S3RVER',
    secret: 'S3RVER',
  };
  return {
    endpoint,
    place: () => ({ ...reach, bucket, prefix: `test-${process.pid}-${++places}` }),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

interface Store {
  getResourcePath(bucket: string, key: string, part: string): string;
  deleteObject(bucket: string, key: string): Promise<unknown>;
}

/** s3rver also removes the folder that a delete leaves empty, even while another request is about to write into it. */
function deleteFilesOnly(store: Store): void {
  const parts = ['object', 'object.md5', 'metadata.json'];
  store.deleteObject = (bucket, key) =>
    Promise.all(parts.map((part) => rm(store.getResourcePath(bucket, key, part), { force: true })));
}

type Listener = Parameters<typeof createServer>[1];
type S3rverClass = new (
  options: object,
) => { store: Store; configureBuckets(): Promise<void>; getMiddleware(): Listener };

/** s3rver encrypts the token of the next page with DES, which OpenSSL no longer has: triple DES with one key is DES. */
function teachDes(): void {
  const crypto = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto');
  for (const name of ['createCipheriv', 'createDecipheriv'] as const) {
    const make = crypto[name] as (cipher: string, key: Buffer, iv: Buffer) => unknown;
    const patched = (cipher: string, key: Buffer, iv: Buffer) =>
      cipher === 'des' ? make('des-ede3-cbc', Buffer.concat([key, key, key]), iv) : make(cipher, key, iv);
    Object.assign(crypto, { [name]: patched });
  }
}
