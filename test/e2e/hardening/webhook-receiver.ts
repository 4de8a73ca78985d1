import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

/** A receiver of webhooks on loopback. */
export interface WebhookReceiver {
  url: string;
  /** Every request so far. */
  received: ReceivedWebhook[];
  stop(): Promise<void>;
}

/** The status of an answer, or null to leave the request unanswered. */
type Answer = number | null;

export async function startReceiver(
  answer: () => Answer | Promise<Answer> = () => 204,
): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), at: Date.now() });
    const status = await answer();
    if (status !== null) response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
