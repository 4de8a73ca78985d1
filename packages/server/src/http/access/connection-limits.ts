import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { networkOf } from '../../accounts/login-failures.ts';
import type { Gate, Place } from '../../admission/gate.ts';

export interface ConnectionLimitOptions {
  gate: Gate;
  trustedProxies: readonly string[];
  log: Logger;
}

interface Connection {
  network: string;
  place: Place;
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
  { gate, trustedProxies, log }: ConnectionLimitOptions,
): void {
  const isTrusted = trustedAddresses(trustedProxies);
  const { atOnce, atOnceOfOwner } = gate.limits;
  const connections = new Map<Socket, Connection>();
  /** Those that have been idle for longest come first. */
  const idle = new Set<Socket>();
  let reportedAt = -Infinity;

  const forget = (socket: Socket) => {
    connections.get(socket)?.place.release();
    connections.delete(socket);
    idle.delete(socket);
  };
  const closeIdle = (network: string | undefined) => {
    for (const socket of idle) {
      if (network !== undefined && connections.get(socket)?.network !== network) continue;
      forget(socket);
      socket.destroy();
      return;
    }
  };
  const report = () => {
    if (performance.now() - reportedAt < reportMs) return;
    reportedAt = performance.now();
    log.warn({ connections: connections.size, atOnce, atOnceOfOwner }, 'the limit of connections is reached');
  };
  /** Those of a trusted proxy are of many callers. */
  const enter = (network: string, address: string): Place | undefined => {
    const ofAddress = isTrusted(address) ? atOnce : atOnceOfOwner;
    const options = { atOnceOfOwner: ofAddress };
    const place = gate.tryEnter(network, options);
    if (place) return place;
    report();
    closeIdle(gate.amountOf(network) >= ofAddress ? network : undefined);
    return gate.tryEnter(network, options);
  };

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = networkOf(address);
    const place = enter(network, address);
    if (!place) {
      gate.refuse();
      socket.destroy();
      return;
    }
    connections.set(socket, { network, place, unanswered: 0 });
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

/**
 * Limits the requests that are being answered, by the address that they come from, or that a trusted proxy forwards: one
 * connection may carry many of them. Those of one connection are worked on one after another.
 */
export function limitRequests(app: FastifyInstance, gate: Gate): void {
  const waitForTurn = createTurnsOfConnections();
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.row?.answersWhenOverloaded) {
      done();
      return;
    }
    const place = gate.tryEnter(networkOf(request.ip));
    if (place) waitForTurn(request.raw.socket, reply.raw, { onTurn: () => done(), onEnd: place.release });
    else done(gate.refuse());
  });
}

interface RequestTurn {
  onTurn(): void;
  /** Called once: when it has been answered, or its connection is gone. */
  onEnd(): void;
}

interface WaitingTurn extends RequestTurn {
  hasBegun: boolean;
}

/**
 * The order of requests that came over one connection without waiting for answers, which are sent in that order anyway.
 * Those that waited for an answer before theirs are begun one in each iteration of the event loop, connection by
 * connection. Otherwise a few packets could make a server work on thousands of requests before any that came later.
 */
function createTurnsOfConnections() {
  const waiting = new WeakMap<Socket, WaitingTurn[]>();
  /** The turns of connections whose next request may begin. */
  const due: WaitingTurn[][] = [];
  const open = (socket: Socket): WaitingTurn[] => {
    const turns: WaitingTurn[] = [];
    waiting.set(socket, turns);
    // A response that has not been given the connection yet is not told that it closed.
    socket.once('close', () => {
      for (const { onEnd } of turns.splice(0)) onEnd();
    });
    return turns;
  };
  const startFirst = ([first]: readonly WaitingTurn[]) => {
    if (!first || first.hasBegun) return;
    first.hasBegun = true;
    first.onTurn();
  };
  const startDue = () => {
    const turns = due.shift() ?? [];
    if (due.length > 0) setImmediate(startDue);
    startFirst(turns);
  };
  return (socket: Socket, response: ServerResponse, wanted: RequestTurn): void => {
    const turns = waiting.get(socket) ?? open(socket);
    const turn = { ...wanted, hasBegun: false };
    response.once('close', () => {
      const at = turns.indexOf(turn);
      if (at < 0) return;
      turns.splice(at, 1);
      turn.onEnd();
      if (at === 0 && turns.length > 0 && due.push(turns) === 1) setImmediate(startDue);
    });
    turns.push(turn);
    if (turns.length === 1) startFirst(turns);
  };
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
