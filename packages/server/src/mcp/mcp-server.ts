import { McpServer } from '@modelcontextprotocol/server';
import packageJson from '../../package.json' with { type: 'json' };
import { addAccountTools } from './account-tools.ts';
import { addFilterTools } from './filter-tools.ts';
import { addJobTools } from './job-tools.ts';
import type { ToolParts } from './mcp-tools.ts';
import { addPictureTools } from './picture-tools.ts';
import { addQaTools } from './qa-tools.ts';
import { addVideoTools } from './video-tools.ts';

const toolGroups = [addFilterTools, addPictureTools, addVideoTools, addJobTools, addQaTools, addAccountTools];

const instructions =
  'Guise makes pictures and videos of people. list_filters shows what can be made, make_picture and make_video make it of a photo and cost credits, watch_job waits for what takes longer.';

/** A server of the Model Context Protocol whose tools call Guise as one account. */
export function createMcpServer(parts: ToolParts): McpServer {
  const server = new McpServer({ name: 'guise', version: packageJson.version }, { instructions });
  for (const addTools of toolGroups) addTools(server, parts);
  return server;
}
