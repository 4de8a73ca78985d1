import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/**
 * IPv4 ranges that are not public: the IANA special-purpose registry, and addresses that cloud platforms answer on.
 * ipaddr.js's own `range()` is not used because it calls 168.63.129.16 and `::7f00:1` unicast.
 */
const specialIPv4 = ranges([
  '0.0.0.0/8', // "this network"; Linux connects 0.0.0.0 to itself
  '100.64.0.0/10', // carrier NAT, with Alibaba's metadata at 100.100.100.200
  '168.63.129.16/32', // Azure's platform address
  '169.254.0.0/16', // link-local, with most clouds' metadata
  '192.0.0.0/24', // protocol assignments, with Oracle's metadata at 192.0.0.192
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]);

const privateIPv4 = ranges(['10.0.0.0/8', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']);

/**
 * Global unicast is 2000::/3, so everything outside it (`::/96`, IPv4-mapped, link-local, site-local, multicast,
 * discard, …) needs no row here. These are the parts of it, and of the private ranges, that are not allowed.
 */
const globalIPv6 = ranges(['2000::/3']);
const specialIPv6 = ranges([
  '2001::/23', // protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
  'fd00:ec2::/32', // AWS's metadata, inside the unique local range
  'fd20:ce::/32', // Google Cloud's metadata, likewise
]);

const privateIPv6 = ranges(['::1/128', 'fc00::/7']);

/** Stands for the IPv4 address in its last 32 bits. Networks with DNS64 return it for hosts that have only IPv4. */
const nat64 = ranges(['64:ff9b::/96']);

/**
 * Whether a server may be asked to connect to this address on behalf of somebody else. `allowPrivate` adds the
 * private and loopback ranges, and nothing else.
 */
export function mayConnectTo(address: string, allowPrivate = false): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) {
    if (within(parsed, specialIPv4)) return false;
    return allowPrivate || !within(parsed, privateIPv4);
  }
  if (within(parsed, nat64)) return mayConnectTo(parsed.toByteArray().slice(12).join('.'));
  if (within(parsed, specialIPv6)) return false;
  return within(parsed, globalIPv6) || (allowPrivate && within(parsed, privateIPv6));
}

/** Whether an address is one of a private network or of this machine. */
export const isPrivateAddress = (address: string) => mayConnectTo(address, true) && !mayConnectTo(address);

function ranges(cidrs: string[]): Range[] {
  return cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
}

function within(address: Address, list: Range[]): boolean {
  return list.some((range) => address.match(range));
}
