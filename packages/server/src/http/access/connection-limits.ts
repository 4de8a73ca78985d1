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

interface Connection {
  network: string;
  /** Requests that are being answered. */
  unanswered: number;
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
  const connections = new Map<Socket, Connection>();
  const countByNetwork = new Map<string, number>();
  /** Those that have been idle for longest come first. */
  const idle = new Set<Socket>();
  let reportedAt = -Infinity;

  const count = (network: string, by: number) => {
    const left = (countByNetwork.get(network) ?? 0) + by;
    if (left === 0) countByNetwork.delete(network);
    else countByNetwork.set(network, left);
  };
  const forget = (socket: Socket) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connections.delete(socket);
    idle.delete(socket);
    count(connection.network, -1);
  };
  const closeIdle = (network?: string): boolean => {
    for (const socket of idle) {
      if (network !== undefined && connections.get(socket)?.network !== network) continue;
      forget(socket);
      socket.destroy();
      return true;
    }
    return false;
  };
  const report = () => {
    if (performance.now() - reportedAt < reportMs) return;
    reportedAt = performance.now();
    log.warn({ connections: connections.size, ...limits }, 'the limit of connections is reached');
  };
  const makeRoom = (network: string, address: string): boolean => {
    if ((countByNetwork.get(network) ?? 0) >= limits.ofAddress && !isTrusted(address)) {
      report();
      if (!closeIdle(network)) return false;
    }
    if (connections.size < limits.total) return true;
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
    connections.set(socket, { network, unanswered: 0 });
    count(network, 1);
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    idle.delete(socket);
    connection.unanswered++;
    response.on('close', () => {
      connection.unanswered--;
      if (connection.unanswered === 0 && connections.has(socket)) idle.add(socket);
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
