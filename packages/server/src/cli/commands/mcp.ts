import { type Command, Option } from 'commander';
import { AppError } from '../../errors.ts';
import { example } from '../example.ts';

export function addMcp(guise: Command): void {
  guise
    .command('mcp')
    .description('Serve tools for language models over stdio (Model Context Protocol): docs/mcp.md.')
    .addOption(new Option('--url <url>', 'Server.').default('http://127.0.0.1:8080').env('GUISE_URL'))
    .addHelpText('after', '\nThe key of the account is read from the environment variable GUISE_API_KEY.')
    .addHelpText('after', example('guise mcp --url https://guise.example.com'))
    .action(runMcp);
}

async function runMcp({ url }: { url: string }): Promise<void> {
  const apiKey = process.env.GUISE_API_KEY?.trim();
  if (!apiKey) throw new AppError('USAGE', 'Set GUISE_API_KEY to the key of the account that pays.');
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { Guise } = await import('@guise/client/guise.ts');
  const { createMcpServer } = await import('../../mcp/mcp-server.ts');
  const guise = new Guise({ baseUrl: url, apiKey });
  const sameLink = (link: string) => link;
  serveStdio(() => createMcpServer({ guise, hasFiles: true, linkOf: sameLink, nearOf: sameLink }));
}
