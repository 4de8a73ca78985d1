import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installFromDebian } from './debian-packages.ts';

/** The printer of the CUPS project: a real server of IPP Everywhere that keeps what it is sent. */
export interface IppPrinter {
  url: string;
  /** Files that it has printed. */
  printed(): string[];
  /** Takes the paper out, or loads it. */
  loadPaper(sheets: number): Promise<void>;
  stop(): Promise<void>;
  /** Begins again on the same port, with nothing in its memory. */
  restart(): Promise<void>;
}

const programs = { ippeveprinter: 'cups-ipp-utils', 'dbus-daemon': 'dbus' } as const;
const searched = ['/usr/sbin', '/usr/bin', '/sbin', '/bin', ...(process.env.PATH ?? '').split(':')];
const findProgram = (name: string) =>
  searched.map((folder) => join(folder, name)).find((path) => existsSync(path));

/** Fails where the program is neither there nor can be installed: a test that needs it is never skipped. */
async function programOf(name: keyof typeof programs): Promise<string> {
  const found = findProgram(name);
  if (found) return found;
  const why = await installFromDebian(Object.values(programs));
  const installed = findProgram(name);
  if (!installed)
    throw new Error(`This needs ${name} (Debian: ${programs[name]}), and there is none (${why}).`);
  return installed;
}

/** One that takes these formats. Printing is `/bin/true`: without a command it takes 5 to 15 s for a job. */
export async function startIppPrinter(
  formats = 'application/pdf,image/jpeg,image/pwg-raster',
): Promise<IppPrinter> {
  const [printer, bus] = [await programOf('ippeveprinter'), await programOf('dbus-daemon')];
  const folder = mkdtempSync(join(tmpdir(), 'guise-printer-'));
  const spool = join(folder, 'spool');
  const address = `unix:path=${join(folder, 'bus')}`;
  // Debian's build does not start without a message bus, whether or not it announces itself there.
  const daemon = spawn(bus, ['--session', '--nofork', '--nopidfile', `--address=${address}`], {
    stdio: 'ignore',
  });
  while (!existsSync(join(folder, 'bus'))) await sleep(10);
  const port = await freePort();
  const url = `ipp://localhost:${port}/ipp/print`;
  const start = async (): Promise<ChildProcess> => {
    const words = [
      '-r',
      'off',
      '-p',
      String(port),
      '-n',
      'localhost',
      '-d',
      spool,
      '-k',
      '-f',
      formats,
      '-m',
      'Photo',
      // Pages a minute in colour: that makes it one for photos.
      '-s',
      '60,60',
      '-c',
      '/bin/true',
      'Guise',
    ];
    const child = spawn(printer, words, {
      stdio: 'ignore',
      env: { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: address },
    });
    while (!(await isListening(port))) await sleep(20);
    return child;
  };
  mkdirSync(spool);
  let running = await start();
  const end = async (child: ChildProcess) => {
    if (child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    url,
    printed: () =>
      readdirSync(spool, { recursive: true })
        .map(String)
        .filter((name) => /\.(pdf|jpe?g|png)$/.test(name))
        .sort()
        .map((name) => join(spool, name)),
    async loadPaper(sheets) {
      // The form of its own web page.
      const trays = {
        size1: 'na_letter_8.5x11in',
        type1: 'stationery',
        level1: '250',
        size2: 'na_index-4x6_4x6in',
      };
      const query = new URLSearchParams({ ...trays, type2: 'photographic-glossy', level2: String(sheets) });
      await (await fetch(`http://localhost:${port}/media?${query}`)).text();
    },
    async stop() {
      await end(running);
      await end(daemon);
      rmSync(folder, { recursive: true, force: true });
    },
    async restart() {
      await end(running);
      running = await start();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

const isListening = (port: number) =>
  fetch(`http://localhost:${port}/`).then(
    () => true,
    () => false,
  );
