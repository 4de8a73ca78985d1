import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that answers one request after the other with the given handlers, the last one for ever. */
export async function serve(...handlers: Handler[]) {
  let count = 0;
  const server = createServer((request, response) => {
    const handle = handlers[Math.min(count++, handlers.length - 1)]!;
    handle(request, response);
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => count,
    close: () => server.close().closeAllConnections(),
  };
}

export const answer =
  (status: number, body: unknown, headers = {}): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
