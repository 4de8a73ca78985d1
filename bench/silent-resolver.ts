import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const address = '127.0.0.53';
const ownMounts = ['unshare', '--mount'];

/** A resolver that hears and says nothing. */
export interface SilentResolver {
  /** What stands before the command of a process that is to ask it. */
  startedBy: readonly string[];
  close(): void;
}

/** Needs root on Linux: the port of resolvers, and a mount of its own over the system's setting. Null elsewhere. */
export async function startSilentResolver(folder: string): Promise<SilentResolver | null> {
  if (process.getuid?.() !== 0 || spawnSync(ownMounts[0]!, [...ownMounts.slice(1), 'true']).status !== 0)
    return null;
  const socket = createSocket('udp4').bind(53, address);
  await once(socket, 'listening');
  const file = join(folder, 'resolv.conf');
  writeFileSync(file, `nameserver ${address}\n`);
  const mountAndStart = 'mount --bind "$1" /etc/resolv.conf && shift && exec "$@"';
  return {
    startedBy: [...ownMounts, 'sh', '-c', mountAndStart, 'sh', file],
    close: () => socket.close(),
  };
}
