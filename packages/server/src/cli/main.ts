import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { AppError } from '../errors.ts';

// Stripping types and compiling take half of a start; from the second start on, this has them ready.
enableCompileCache(join(import.meta.dirname, '../../../../node_modules/.cache/guise'));

const { runCommand } = await import('./commands.ts');
try {
  await runCommand();
} catch (error) {
  const { translateRenderError } = await import('../engines/local/render-errors.ts');
  const known = translateRenderError(error);
  if (!(known instanceof AppError)) throw error;
  console.error(known.message);
  process.exit(1);
}
