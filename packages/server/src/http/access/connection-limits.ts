import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { networkOf } from '../../accounts/login-failures.ts';
import { readDescriptorLimit } from '../../platform.ts';

/** How many connections a process has at once. */
export interface ConnectionLimits {
  total: number;
  /** From one address that is no trusted proxy's: most of them, because all booths of a venue may share one. */
  ofAddress: number;
}

/** Descriptors of the database, of engine processes and of libraries: 40 to 60 on a server that works. */
const reserved = 96;
const [fewest, most] = [16, 10_000];

/**
 * Two thirds of the descriptors that this process may have and does not need for itself. The last third is for what
 * requests open: photos, results, connections to others.
 */
export function connectionLimitsFor(descriptors = readDescriptorLimit()): ConnectionLimits {
  const total = Math.min(most, Math.max(fewest, Math.floor(((descriptors - reserved) * 2) / 3)));
  return { total, ofAddress: Math.ceil(0.75 * total) };
}

export interface ConnectionLimitOptions {
  limits: ConnectionLimits;
  trustedProxies: readonly string[];
  log: Logger;
}

const reportMs = 60_000;

/**
 * Keeps a server within its limits. Where one is reached, the connection that has been idle for longest makes room for
 * a new one; where none is idle, the new one is closed. Idle is a connection without a request that is being answered:
 * one whose first request has not come in full is idle, too.
 */
export function limitConnections(
  server: Server,
  { limits, trustedProxies, log }: ConnectionLimitOptions,
): void {
  const isTrusted = trustedAddresses(trustedProxies);
  const networks = new Map<Socket, string>();
  const countByNetwork = new Map<string, number>();
  /** Those that have been idle for longest come first. */
  const idle = new Set<Socket>();
  const unanswered = new WeakMap<Socket, number>();
  let reportedAt = -Infinity;

  const count = (network: string, by: number) => {
    const left = (countByNetwork.get(network) ?? 0) + by;
    if (left === 0) countByNetwork.delete(network);
    else countByNetwork.set(network, left);
  };
  const forget = (socket: Socket) => {
    const network = networks.get(socket);
    if (network === undefined) return;
    networks.delete(socket);
    idle.delete(socket);
    count(network, -1);
  };
  const closeIdle = (network?: string): boolean => {
    for (const socket of idle) {
      if (network !== undefined && networks.get(socket) !== network) continue;
      forget(socket);
      socket.destroy();
      return true;
    }
    return false;
  };
  const report = () => {
    if (performance.now() - reportedAt < reportMs) return;
    reportedAt = performance.now();
    log.warn({ connections: networks.size, ...limits }, 'the limit of connections is reached');
  };
  const makeRoom = (network: string, address: string): boolean => {
    if ((countByNetwork.get(network) ?? 0) >= limits.ofAddress && !isTrusted(address)) {
      report();
      if (!closeIdle(network)) return false;
    }
    if (networks.size < limits.total) return true;
    report();
    return closeIdle();
  };

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = networkOf(address);
    if (!makeRoom(network, address)) {
      socket.destroy();
      return;
    }
    networks.set(socket, network);
    count(network, 1);
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    unanswered.set(socket, (unanswered.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = unanswered.get(socket)! - 1;
      unanswered.set(socket, left);
      if (left === 0 && networks.has(socket)) idle.add(socket);
    });
  });
}

function trustedAddresses(proxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0) continue;
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && trusted.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}
