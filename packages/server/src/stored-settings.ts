import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { StoredSettings } from './config.ts';
import { replaceDurably } from './durable-files.ts';
import { AppError } from './errors.ts';
import { settings } from './settings-table.ts';

const fileName = 'settings.json';
const Stored = z.record(z.string(), z.string());

/**
 * What operators have changed in the studio: a file of the data folder, because it is read before the records are
 * opened. Shared installations have none: their processes are started with the same environment.
 */
export function readStoredSettings(env: NodeJS.ProcessEnv): StoredSettings {
  if (env.DATABASE_URL?.trim()) return {};
  const file = join(resolve(env.GUISE_DATA_DIR?.trim() || settings.GUISE_DATA_DIR.default), fileName);
  try {
    return Stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new AppError(
      'BAD_SETTING',
      `${file} cannot be read. It has the settings that were changed in the studio: mend it, or delete it to go back to the defaults.`,
      { cause },
    );
  }
}

export async function writeStoredSettings(dataDir: string, stored: StoredSettings): Promise<void> {
  // It may have the password of a mail server.
  await replaceDurably(join(dataDir, fileName), `${JSON.stringify(stored, null, 2)}\n`, 0o600);
}
