import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyReply } from 'fastify';
import { unauthorized } from '../../../unauthorized.ts';
import { keyOf } from '../../authenticate.ts';
import type { HttpParts } from '../../parts.ts';
import { baseUrlOf, callerOf, disconnectSignal } from '../../request.ts';
import type { RouteRequest } from '../../route.ts';

export type McpRequest = RouteRequest<Record<string, unknown>>;

/** Headers of the protocol itself; what else a caller sends is no part of it. */
const protocolHeaders = ['accept', 'mcp-protocol-version', 'mcp-session-id', 'last-event-id'] as const;

/**
 * Answers a message of the Model Context Protocol. Its tools call this server with the key of the caller: scopes, budgets
 * and limits are those of the endpoints that they call.
 */
export async function answerMcp(
  parts: HttpParts,
  request: McpRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const apiKey = keyOf(request.headers);
  // A session is for people: their browser would call tools for any page that they look at.
  if (apiKey === undefined) throw unauthorized('Bearer');
  const [{ createMcpHandler }, { createMcpServer }, { Guise }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('../../../mcp/mcp-server.ts'),
    import('@guise/client/guise.ts'),
  ]);
  const here = addressOf(request);
  const shown = baseUrlOf(parts, request);
  const handler = createMcpHandler(() =>
    createMcpServer({
      guise: new Guise({ baseUrl: here, apiKey }),
      hasFiles: false,
      linkOf: (url) => replaceStart(url, here, shown),
      nearOf: (url) => replaceStart(url, shown, here),
    }),
  );
  const parsedBody = await withPhoto(parts, request);
  await request.received?.release();
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const name of protocolHeaders) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const signal = disconnectSignal(reply);
  const asked = new Request(`${here}/mcp`, { method: 'POST', headers, body: '{}', signal });
  const response = await handler.fetch(asked, { parsedBody });
  reply.code(response.status).headers(Object.fromEntries(response.headers));
  return response.body ? Readable.fromWeb(response.body as ReadableStream) : reply.send();
}

function replaceStart(text: string, start: string, by: string): string {
  return text.startsWith(start) ? by + text.slice(start.length) : text;
}

/** Where this server listens, for a call of itself. */
function addressOf({ raw: { socket } }: McpRequest): string {
  const address = socket.localFamily === 'IPv6' ? `[${socket.localAddress}]` : socket.localAddress;
  return `http://${address}:${socket.localPort}`;
}

interface ToolCall {
  params?: { arguments?: { photo?: unknown } };
}

/** The message with its photo as base64 again: large ones became uploads on their way. */
async function withPhoto({ decoder }: HttpParts, request: McpRequest): Promise<unknown> {
  const { body, received } = request;
  const given = (body as ToolCall).params?.arguments;
  const upload = typeof given?.photo === 'string' ? received?.uploads.get(given.photo) : undefined;
  if (!given || !upload) return body;
  // Says what is wrong with it, as a run would.
  await upload.inspect(decoder, { accountId: callerOf(request).id });
  const bytes = Buffer.isBuffer(upload.bytes) ? upload.bytes : await buffer(upload.bytes);
  given.photo = bytes.toString('base64');
  return body;
}
