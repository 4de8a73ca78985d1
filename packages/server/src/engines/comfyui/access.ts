import type { ReadSecret } from '../engine-kind.ts';

/** How the engines file names what lets requests through to a server. */
export interface Access {
  token_from?: string | undefined;
  basic_from?: string | undefined;
  headers_from?: Record<string, string> | undefined;
}

export function accessHeaders(
  { token_from, basic_from, headers_from = {} }: Access,
  readSecret: ReadSecret,
): Record<string, string> {
  const named = Object.entries(headers_from).map(([name, variable]) => [
    name.toLowerCase(),
    readSecret(variable, `headers_from.${name}`),
  ]);
  const basic = basic_from && Buffer.from(readSecret(basic_from, 'basic_from')).toString('base64');
  return {
    ...Object.fromEntries(named),
    ...(basic && { authorization: `Basic ${basic}` }),
    ...(token_from && { authorization: `Bearer ${readSecret(token_from, 'token_from')}` }),
  };
}
