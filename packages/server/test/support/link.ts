import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection to a server that can be cut and restored. */
export interface Link {
  url: string;
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

/** Forwards to a server on this machine. Cut, it ends every connection and takes no new one. */
export async function linkTo(url: string): Promise<Link> {
  const port = Number(new URL(url).port);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          open.delete(one);
          other.destroy();
        });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    restore() {
      isCut = false;
    },
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
