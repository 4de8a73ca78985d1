import { randomBytes } from 'node:crypto';
import type { Config, S3Settings } from '../../src/config.ts';
import { execute } from './postgres-server.ts';

/**
 * `GUISE_TEST_SHARED` puts every server that a test starts on PostgreSQL, pg-boss and S3: the address of a database that
 * is set up, to be copied for each server, and a bucket.
 */
export interface Shared {
  template: string;
  s3: S3Settings;
}

export async function sharedPlace(): Promise<Partial<Config>> {
  if (!process.env.GUISE_TEST_SHARED) return {};
  const { template, s3 } = JSON.parse(process.env.GUISE_TEST_SHARED) as Shared;
  const name = `copy_${randomBytes(8).toString('hex')}`;
  const url = new URL(template);
  const copied = url.pathname.slice(1);
  url.pathname = '/postgres';
  await execute(url.href, `create database ${name} template ${copied}`);
  url.pathname = `/${name}`;
  return { demo: false, databaseUrl: url.href, s3: { ...s3, prefix: `${s3.prefix}/${name}` } };
}
