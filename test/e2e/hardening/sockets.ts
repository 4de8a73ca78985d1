import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const tables = ['tcp', 'tcp6', 'udp', 'udp6', 'raw', 'raw6'] as const;

/** The internet sockets that a process holds, as `tcp 0100007F:1F90`: the protocol and the local address. Linux only. */
export function internetSocketsOf(pid: number): string[] {
  const held = new Set(inodesOf(pid));
  if (held.size === 0) return [];
  return tables.flatMap((table) =>
    linesOf(`/proc/${pid}/net/${table}`)
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => held.has(fields[9] ?? ''))
      .map((fields) => `${table} ${fields[1]}`),
  );
}

/**
 * How many packets a process has tried to send in its network namespace, whether there was a way for them or not.
 * In a namespace of its own this counts what a look at its sockets may have missed. Linux only.
 */
export function packetsTriedBy(pid: number): number {
  const [names, values] = linesOf(`/proc/${pid}/net/snmp`)
    .filter((line) => line.startsWith('Ip: '))
    .map((line) => line.split(' '));
  const count = (name: string) => Number(values?.[names?.indexOf(name) ?? -1] ?? 0);
  return count('OutRequests') + count('OutNoRoutes');
}

function inodesOf(pid: number): string[] {
  return attempt(() => readdirSync(`/proc/${pid}/fd`)).flatMap((fd) => {
    const inode = attempt(() => [readlinkSync(`/proc/${pid}/fd/${fd}`)]).map(
      (target) => /^socket:\[(\d+)\]$/.exec(target)?.[1],
    );
    return inode.filter((found) => found !== undefined);
  });
}

const linesOf = (file: string) => attempt(() => readFileSync(file, 'utf8').split('\n'));

/** Nothing, where the process or the file is gone by now. */
function attempt(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}
