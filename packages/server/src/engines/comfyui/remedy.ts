import { UpstreamError } from '../upstream.ts';

/** By what Node.js calls a connection that failed. */
const byCode: Record<string, string> = {
  ECONNREFUSED:
    'nothing listens on that port. Start ComfyUI there, with --listen and an address that this machine reaches',
  ENOTFOUND: 'no machine has this name. Check the spelling, or use the IP address',
  EAI_AGAIN: 'the name could not be looked up. Check the network and the name server of this machine',
  EHOSTUNREACH: 'there is no way to that machine. Check the network, the VPN or the tunnel',
  ENETUNREACH: 'there is no way to that network. Check the network, the VPN or the tunnel',
  UND_ERR_CONNECT_TIMEOUT: 'nothing answers at that address. Check the address, the port and the firewall',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the port does not speak TLS. Use http:// instead of https://',
  EPROTO: 'the port does not speak TLS. Use http:// instead of https://',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the port does not speak TLS. Use http:// instead of https://',
  UND_ERR_SOCKET: 'the connection was closed without an answer. Where the port speaks TLS, use https://',
  ECONNRESET: 'the connection was closed without an answer. Where the port speaks TLS, use https://',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is not trusted here. Give the certificate of its authority in NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate is not trusted here. Give the certificate of its authority in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is not trusted here. Give the certificate of its authority in NODE_EXTRA_CA_CERTS',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name. Use the name that it is for',
  CERT_HAS_EXPIRED: 'its certificate has expired. Renew it there',
};

const accessRefused =
  'it asks for credentials. Put them into an environment variable and name that: --token-from for a token, --basic-from for name:password, --header-from NAME=VARIABLE for a header of another name';

/** What an operator does about a ComfyUI server that does not answer as one. */
export function remedyOf(error: unknown): string {
  if (!(error instanceof UpstreamError))
    return 'it did not answer in time. Check whether it is busy or stuck';
  if (error.kind === 'garbage')
    return 'something other than ComfyUI answers there, such as the page of a proxy. Check the address and the port';
  if (error.kind === 'status') return remedyOfStatus(error.status);
  const code = codeOf(error.cause);
  return byCode[code] ?? 'it did not answer in time. Check whether it is busy or stuck';
}

function remedyOfStatus(status: number): string {
  if (status === 401 || status === 403) return accessRefused;
  if (status === 407) return 'a proxy on the way asks for credentials. Reach the server without it';
  if (status >= 300 && status < 400)
    return 'it answers with a redirect, which is not followed. Use the address that it leads to: often https://, or a sign-in page in front of the server';
  if (status === 404) return 'another program answers there, or ComfyUI is below a path. Check the address';
  if (status === 400) return 'it does not take the request. Where the port speaks TLS, use https://';
  if (status === 502 || status === 503 || status === 504)
    return 'a proxy answers, and ComfyUI behind it does not. Start it there';
  return 'it answers with an error. Look into its log';
}

function codeOf(cause: unknown): string {
  const { code, cause: inner } = (cause ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && byCode[code]) return code;
  return inner === undefined ? String(code) : codeOf(inner);
}
