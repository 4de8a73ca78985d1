import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Stripping types and compiling take half of a start; from the second start on, this has them ready.
enableCompileCache(join(import.meta.dirname, '../../../../node_modules/.cache/guise'));

const { guiseProgram } = await import('./program.ts');
const { reportError } = await import('./report-error.ts');

await guiseProgram()
  .parseAsync()
  .catch((error: unknown) => process.exit(reportError(error)));
