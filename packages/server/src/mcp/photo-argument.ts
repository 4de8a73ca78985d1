import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { ToolParts } from './mcp-tools.ts';

/** A photo as tools take it. */
export function photoArgument({ hasFiles }: Pick<ToolParts, 'hasFiles'>) {
  return z
    .string()
    .min(1)
    .describe(
      hasFiles
        ? 'Path of a photo on this machine, a public URL, or a data URI.'
        : 'A public URL, a data URI, or the photo as base64.',
    );
}

/**
 * The photo that an argument stands for. Paths are for tools that run on the machine of their user: elsewhere they would
 * read files of the server.
 */
export async function readPhotoArgument(
  { hasFiles }: Pick<ToolParts, 'hasFiles'>,
  text: string,
): Promise<string | Buffer> {
  const photo = text.trim();
  if (/^(https?|data):/i.test(photo)) return photo;
  if (hasFiles) return readFile(photo).catch((error) => cannotRead(photo, error));
  if (!/^[\w+/=\s-]+$/.test(photo))
    throw new AppError('INVALID_IMAGE', 'photo must be a URL, a data URI or base64: no files are read here.');
  return Buffer.from(photo, 'base64');
}

/** Says what is wrong with a path. Other errors are told as they are. */
function cannotRead(path: string, error: NodeJS.ErrnoException): never {
  const reason = reasons[error.code ?? ''] ?? error.message;
  throw new AppError('INVALID_IMAGE', `The photo ${path} cannot be read: ${reason}.`, { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file on this machine',
  EISDIR: 'it is a folder',
  EACCES: 'this program may not read it',
};
