import type { Config } from '../config.ts';
import type { Engine } from '../engines/engine.ts';
import { AppError } from '../errors.ts';
import { isShared } from './storage.ts';

/** Settings that are well-formed and still cannot be used. Each stops the start with the remedy. */

/** A worker that makes nothing would wait forever and look healthy. */
export function assertMakesSomething(engines: readonly Engine[]): void {
  if (engines.some(({ abilities }) => abilities.length > 0)) return;
  const names = [...new Set(engines.map(({ name }) => name))].join(', ');
  throw new AppError(
    'BAD_SETTING',
    `The engines of this worker (${names}) make nothing: no route of GUISE_ENGINES leads to them.`,
  );
}

export function assertShared(config: Config, command: string): void {
  if (isShared(config)) return;
  throw new AppError(
    'USAGE',
    `"${command}" needs records that several processes share: set DATABASE_URL. "start" does all in one process.`,
  );
}
