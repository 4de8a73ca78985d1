import type { Command } from 'commander';
import type { Access } from '../../../engines/comfyui/access.ts';
import { AppError } from '../../../errors.ts';

/** What lets requests through to a server, by the environment variables that hold it. */
export interface AccessOptions {
  tokenFrom?: string;
  basicFrom?: string;
  headerFrom?: string[];
}

export function addAccessOptions(command: Command): Command {
  return command
    .option('--token-from <variable>', 'Environment variable with a token that the server asks for.')
    .option('--basic-from <variable>', 'Environment variable with name:password, for Basic authentication.')
    .option('--header-from <name=variable...>', 'A header, and the environment variable with its value.');
}

/** As a server of the engines file has it. */
export function accessOf({ tokenFrom, basicFrom, headerFrom = [] }: AccessOptions): Access {
  const headers = headerFrom.map((text) => {
    const [, name, variable] = /^([A-Za-z0-9-]+)=([A-Z][A-Z0-9_]*)$/.exec(text) ?? [];
    if (!name || !variable)
      throw new AppError(
        'USAGE',
        '--header-from must be a header and a variable, such as X-Api-Key=GPU_KEY.',
      );
    return [name, variable];
  });
  return {
    ...(tokenFrom && { token_from: tokenFrom }),
    ...(basicFrom && { basic_from: basicFrom }),
    ...(headers.length > 0 && { headers_from: Object.fromEntries(headers) }),
  };
}
