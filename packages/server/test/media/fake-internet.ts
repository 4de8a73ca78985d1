import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import net, { type AddressInfo, type LookupFunction } from 'node:net';
import type { TestContext } from 'node:test';
import tls from 'node:tls';

interface DialOptions {
  host: string;
  lookup: LookupFunction;
}

/** Connections to `publicAddress` are answered by the site; all others, whatever their address, by the canary. */
export async function startFakeInternet(t: TestContext, site: RequestListener) {
  const server = createServer(site);
  const canary = net.createServer((socket) => {
    internet.canaryHits++;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  // Both families on every local address: 127.0.0.1, ::1, 0.0.0.0, :: and the IPv4-mapped ones all reach it.
  canary.listen(0, '::');
  await Promise.all([once(server, 'listening'), once(canary, 'listening')]);
  const internet = {
    publicAddress: '93.184.215.14',
    canaryPort: portOf(canary),
    /** Connections that reached the canary. */
    canaryHits: 0,
    /** Addresses that were dialled. */
    dials: [] as string[],
  };

  const connect = net.connect.bind(net) as (options: object) => net.Socket;
  const divert = (options: DialOptions) => {
    const addresses = dialled(options);
    internet.dials.push(...addresses);
    const atSite = addresses.every((address) => address === internet.publicAddress);
    return connect({ host: '127.0.0.1', port: portOf(atSite ? server : canary) });
  };
  t.mock.method(net, 'connect', divert as never);
  t.mock.method(tls, 'connect', divert as never);
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    canary.close();
    await Promise.all([once(server, 'close'), once(canary, 'close')]);
  });
  return internet;
}

function dialled({ host, lookup }: DialOptions): string[] {
  if (net.isIP(host)) return [host];
  const found: string[] = [];
  lookup(host, { all: true }, (_error, answers) => {
    if (Array.isArray(answers)) found.push(...answers.map(({ address }) => address));
  });
  return found;
}

export function portOf(server: net.Server): number {
  return (server.address() as AddressInfo).port;
}
