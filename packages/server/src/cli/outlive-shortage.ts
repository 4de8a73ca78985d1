import { isShortage } from '../errors.ts';

/**
 * What the system is short of fails what needed it, never the process: libraries open files and connections in timers and
 * callbacks, where nobody catches the error.
 */
export function outliveShortage(): void {
  process.on('uncaughtException', (error) => {
    console.error(error);
    if (!isShortage(error)) process.exit(1);
  });
}
