import { access, chmod, constants } from 'node:fs/promises';

/** What differs between Linux, macOS and Windows in running ffmpeg. */

/** The npm package with ffmpeg for this platform, and the program in it. */
export const ffmpegPackage = {
  name: `@ffmpeg-installer/${process.platform}-${process.arch}`,
  program: process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg',
};

/** Packages unpacked without their install scripts cannot be run yet. On Windows every file can. */
export async function makeExecutable(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await access(path, constants.X_OK).catch(() => chmod(path, 0o755));
}
