import { isDescriptorShortage } from '../errors.ts';

/**
 * A descriptor that is missing fails what needed it, never the process: libraries open files in timers and callbacks,
 * where nobody catches the error.
 */
export function outliveDescriptorShortage(): void {
  process.on('uncaughtException', (error) => {
    console.error(error);
    if (!isDescriptorShortage(error)) process.exit(1);
  });
}
