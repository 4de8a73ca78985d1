import type { Guise } from '@guise/client/guise.ts';
import type { McpServer } from '@modelcontextprotocol/server';

/** What tools stand on. */
export interface ToolParts {
  guise: Guise;
  /** Whether the tools run for one person on this machine: then they read and write files by their paths. */
  hasFiles: boolean;
  /** A link of the server as the caller reaches it. */
  linkOf(url: string): string;
  /** The same link as this process reaches it. */
  nearOf(url: string): string;
}

/** Adds some tools to a server. */
export type AddTools = (server: McpServer, parts: ToolParts) => void;
