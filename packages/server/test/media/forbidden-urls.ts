/** One of each special range, and the addresses clouds keep their secrets on. */
export const specialIPv4 = [
  ...['127.0.0.1', '127.0.0.2', '127.255.255.254', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.1'],
  ...['192.168.1.1', '169.254.169.254', '169.254.0.1', '100.64.0.1', '100.100.100.200', '168.63.129.16'],
  ...['192.0.0.192', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
  ...['239.255.255.250', '240.0.0.1', '255.255.255.255'],
];

export const specialIPv6 = [
  ...[
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::2',
    '::7f00:1',
    '::ffff:0:7f00:1',
    'fe80::1',
    'fec0::1',
    'fc00::1',
    'fd00::1',
  ],
  ...['fd00:ec2::254', 'fd20:ce::254', 'ff02::1', 'ff0e::1', '100::1', '2001::1', '2001:2::1', '2001:10::1'],
  ...['2001:20::1', '2001:db8::1', '2002::1', '3fff::1', '5f00::1', '64:ff9b:1::1', '4000::1', 'e000::1'],
];

/** The ways one IPv4 address is written in a URL's host. */
export function spellings(address: string): string[] {
  const parts = address.split('.').map(Number);
  const [a, b, c, d] = parts as [number, number, number, number];
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (part: number) => `0x${part.toString(16)}`;
  const octal = (part: number) => `0${part.toString(8)}`;
  const high = (a * 256 + b).toString(16);
  const low = (c * 256 + d).toString(16);
  const flipped = `${(0xffff - (a * 256 + b)).toString(16)}:${(0xffff - (c * 256 + d)).toString(16)}`;
  const wide = [...address].map((char) =>
    char === '.' ? '．' : String.fromCharCode(char.charCodeAt(0) + 0xfee0),
  );
  return [
    address,
    `${address}.`,
    `${number}`,
    `0x${number.toString(16).padStart(8, '0')}`,
    `0${number.toString(8)}`,
    parts.map(hex).join('.'),
    parts.map(octal).join('.'),
    parts.map((part) => `00000${part.toString(8)}`).join('.'),
    `${hex(a)}.${octal(b)}.${c}.${d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    address.replaceAll('.', '。'),
    address.replaceAll('.', '｡'),
    wide.join(''),
    [...address].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:4136:e378:8000:63bf:${flipped}]`,
  ];
}

export const forbiddenPorts = [
  1, 7, 21, 22, 23, 25, 53, 79, 81, 110, 111, 139, 143, 389, 445, 465, 514, 587, 631, 1023,
];

/** `port` is the canary's. */
export function trickUrls(port: number): string[] {
  const host = `127.0.0.1:${port}`;
  const schemes = [
    'ftp',
    'gopher',
    'file',
    'ws',
    'wss',
    'dict',
    'ldap',
    'tftp',
    'jar',
    'blob',
    'unix',
    'about',
    'ssh',
  ];
  return [
    ...schemes.map((scheme) => `${scheme}://${host}/photo.jpg`),
    ...[
      'file:///etc/passwd',
      'file:/etc/passwd',
      `jar:http://${host}!/`,
      'javascript:alert(1)',
      `view-source:http://${host}`,
    ],
    ...['', ' ', 'http', 'http:', 'http://', 'http:///', '//', '/photo.jpg', 'photo.jpg', `//${host}/`, host],
    ...[
      `http:${host}`,
      `http:/${host}`,
      `http:///${host}`,
      `http:\\\\${host}`,
      `HTTP://${host}`,
      `https://${host}`,
    ],
    ...[
      `http://user@${host}`,
      `http://user:pass@${host}`,
      `http://:pass@${host}`,
      `http://public.test@${host}`,
    ],
    ...[`http://${host}#@public.test`, `http://${host}?@public.test`, `http://${host}\\@public.test`],
    ...[`http://user:pass@public.test/`, `http://user@public.test:${port}/`, `http://${host}/@public.test`],
    ...[
      `http://public.test:${port}@${host}`,
      `http://127.0.0.1\t:${port}/`,
      `http://127.0.0.1\n:${port}/`,
      `\x00http://${host}`,
    ],
    ...[
      `http://[::1%25lo]:${port}/`,
      `http://[::1%lo]:${port}/`,
      `http://[fe80::1%25eth0]:${port}/`,
      `http://[::1:${port}/`,
    ],
    ...[
      `http://127.0.0.1:${port}:80/`,
      `http://127.0.0.1:65536/`,
      `http://127.0.0.1:-1/`,
      `http://0/`,
      `http://0:${port}`,
    ],
    ...[
      `http://[0]:${port}/`,
      `http://127.1:${port}/`,
      `http://127.0.1:${port}/`,
      `http://256.256.256.256:${port}/`,
    ],
    ...[
      `http://127.0.0.1.:${port}/`,
      `http://①②⑦.⓪.⓪.①:${port}/`,
      `http://１２７.1:${port}/`,
      `http://127.0.0.0x1:${port}/`,
    ],
    `http://127.0.0.1:${port}/${'a'.repeat(9000)}`,
  ];
}
