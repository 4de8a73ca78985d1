import type { Blobs } from './blobs.ts';
import type { ReportProgress } from './copy-rows.ts';
import { moveRefused } from './move-refused.ts';

const atOnce = 8;

/** A copy that was interrupted continues: blobs never change, so one that has its full size is complete. */
export async function copyBlobs(
  source: Blobs,
  target: Blobs,
  prefixes: readonly string[],
  report: ReportProgress,
): Promise<void> {
  for (const prefix of prefixes) {
    const keys: string[] = [];
    for await (const { key } of source.list(prefix)) keys.push(key);
    const total = keys.length;
    if (total === 0) report(`blobs: ${prefix}`, 0, 0);
    let done = 0;
    const copyNext = async () => {
      for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
        await copyBlob(source, target, key);
        report(`blobs: ${prefix}`, ++done, total);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, copyNext));
  }
}

async function copyBlob(source: Blobs, target: Blobs, key: string): Promise<void> {
  const blob = await source.open(key);
  if (!blob) return;
  if ((await sizeOf(target, key)) === blob.size) {
    await blob.close();
    return;
  }
  await target.put(key, blob.stream());
  const copied = await sizeOf(target, key);
  if (copied !== blob.size) throw moveRefused(`${key} has ${blob.size} bytes here and ${copied} there.`);
}

async function sizeOf(blobs: Blobs, key: string): Promise<number | undefined> {
  const blob = await blobs.open(key);
  await blob?.close();
  return blob?.size;
}
