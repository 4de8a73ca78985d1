import type { Trial } from '../../../engines/try-routes.ts';

/** One workflow on a sample photo, for the terminal. */
export function trialLine({ engine, workflow, family, file, error, ...spent }: Trial): string {
  const { seconds, gpu_seconds, cost_usd } = spent;
  const parts = [
    `${seconds} s`,
    ...(gpu_seconds === null ? [] : [`${gpu_seconds.toFixed(1)} s of GPU`]),
    ...(cost_usd === null ? [] : [`${cost_usd.toFixed(4)} $`]),
  ];
  return `${file ? 'ok  ' : 'BAD '} ${engine} ${workflow} (${family}) ${parts.join(', ')}  ${file ?? error}`;
}
