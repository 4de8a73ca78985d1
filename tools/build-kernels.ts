/**
 * Builds the pixel kernels of the engine and the layers of the booth's face finder, each by the command in the header of
 * its C file, and notes in the file which source it is of. Needs clang and lld with the target wasm32; nobody else does,
 * since the files are in the repository.
 *
 *   npm run kernels
 */
import { execSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

build('packages/engine/src/pixels/kernels', 'kernels');
build('packages/booth/src/booth/faces', 'face-net');

function build(place: string, name: string): void {
  const folder = join(import.meta.dirname, '..', place);
  const source = readFileSync(join(folder, `${name}.c`), 'utf8');
  const built = join(folder, `${name}.wasm`);
  const command = /clang --target.*?\.c\n/s.exec(source)![0].replaceAll(/\n \*/g, '');
  execSync(command, { cwd: folder, stdio: 'inherit' });
  appendFileSync(built, customSection('source-sha256', createHash('sha256').update(source).digest('hex')));
  chmodSync(built, 0o644);
  console.log(`${built}: ${statSync(built).size} bytes`);
}

/** Sections of less than 128 bytes: their lengths are numbers of one byte. */
function customSection(name: string, text: string): Buffer {
  const named = Buffer.concat([Buffer.from([name.length]), Buffer.from(name)]);
  return Buffer.concat([Buffer.from([0, named.length + text.length]), named, Buffer.from(text)]);
}
