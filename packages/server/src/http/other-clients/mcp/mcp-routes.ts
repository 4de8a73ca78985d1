import { z } from 'zod';
import { anyAccountScope, imageBodyBytes, json, type Route, route } from '../../route.ts';
import { answerMcp } from './answer-mcp.ts';

const McpMessage = z
  .looseObject({ jsonrpc: z.literal('2.0'), method: z.string().optional() })
  .meta({ id: 'McpMessage', description: 'A message of the Model Context Protocol' });

/** The Model Context Protocol over HTTP: a POST for each message, without sessions. */
export const mcpRoutes: Route[] = [
  route({
    ...json,
    method: 'POST',
    path: '/mcp',
    operation: 'sendMcpMessage',
    tag: 'Model Context Protocol',
    scopes: anyAccountScope,
    summary: 'Tools for language models (streamable HTTP)',
    body: McpMessage,
    maxBody: imageBodyBytes,
    longString: (path) => (path.join('.') === 'params.arguments.photo' ? 'image' : 'start'),
    success: { status: 200 },
    handle: answerMcp,
  }),
];
