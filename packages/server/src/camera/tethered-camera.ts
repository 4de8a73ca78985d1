import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../errors.ts';
import type { PhotoSource } from './photo-source.ts';

const run = promisify(execFile);
/** A camera that focuses in the dark takes some seconds, and a raw file takes long to come. */
const longestMs = 20_000;

/** A camera by cable, which the program `gphoto2` releases and reads. Throws where it finds none. */
export async function openTetheredCamera(program = 'gphoto2'): Promise<PhotoSource> {
  const { stdout } = await ask(program, ['--auto-detect'], AbortSignal.timeout(longestMs));
  // A head of two lines, then a line for each camera: its name, and the port behind at least two blanks.
  const [, , first] = stdout.split('\n');
  const name = first?.split(/\s{2,}/)[0]?.trim();
  if (!name)
    throw new AppError(
      'USAGE',
      'gphoto2 finds no camera. Connect it by USB, switch it on, and close other programs that use it.',
    );
  return {
    name,
    async shoot(signal) {
      const folder = await mkdtemp(join(tmpdir(), 'guise-camera-'));
      try {
        const file = join(folder, 'photo.jpg');
        const words = ['--quiet', '--capture-image-and-download', '--force-overwrite', '--filename', file];
        await ask(program, words, AbortSignal.any([signal, AbortSignal.timeout(longestMs)]));
        const bytes = await readFile(file).catch(() => null);
        if (!bytes?.subarray(0, 2).equals(jpegBegin))
          throw new AppError('USAGE', 'The camera gave no JPEG. Set it to JPEG, or to raw with JPEG.');
        return bytes;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

const jpegBegin = Buffer.of(0xff, 0xd8);

async function ask(program: string, words: readonly string[], signal: AbortSignal) {
  try {
    return await run(program, [...words], { signal, encoding: 'utf8' });
  } catch (error) {
    const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT')
      throw new AppError('USAGE', `${program} is not installed. On Debian: apt install gphoto2.`);
    const said = stderr.trim().split('\n').at(-1);
    throw new AppError('USAGE', said ? `gphoto2: ${said}` : 'The camera did not answer in time.', {
      cause: error,
    });
  }
}
