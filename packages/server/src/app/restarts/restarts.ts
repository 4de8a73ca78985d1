import type { StoredSettings } from '../../config.ts';

/** What the last start came from. */
export interface LastRestart {
  /** When the backup was made that was restored. */
  restored: string | null;
  /** Why one was refused. */
  restoreError: string | null;
  /** Why the changed settings could not be used, which were put back then. */
  settingsError: string | null;
}

/** Signs in to what was restored: whoever restores it may have had an account of the former installation alone. */
export interface RestoredSignIn {
  token: string;
  email: string;
}

/** Stops this server and starts it again. */
export interface Restarts {
  restart(): void;
  /** Puts a backup in place of the installation meanwhile. */
  restore(archive: string, signIn: RestoredSignIn): void;
  /** Rejects where the server could not be started with these settings. */
  check(stored: StoredSettings): Promise<void>;
  last: LastRestart;
}
