import { connect } from 'node:net';

export interface Load {
  url: string;
  /** The request as bytes on the wire. */
  request: Buffer;
  connections: number;
  seconds: number;
}

/** Requests answered per second over connections that are kept open, each with one request under way. */
export async function measure(load: Load): Promise<number> {
  const { hostname, port } = new URL(load.url);
  const end = performance.now() + load.seconds * 1000;
  const started = performance.now();
  const counts = await Promise.all(
    Array.from({ length: load.connections }, () => drive(hostname, Number(port), load.request, end)),
  );
  const seconds = (performance.now() - started) / 1000;
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}

function drive(host: string, port: number, request: Buffer, end: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    let count = 0;
    let head = '';
    let left = -1;
    socket.on('connect', () => socket.write(request));
    socket.on('error', reject);
    socket.on('close', () => resolve(count));
    socket.on('data', (chunk) => {
      let at = 0;
      if (left < 0) {
        head += chunk.toString('latin1', 0, 4096);
        const stop = head.indexOf('\r\n\r\n');
        if (stop < 0) return;
        if (!head.startsWith('HTTP/1.1 200')) reject(new Error(head.slice(0, 400)));
        left = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        at = stop + 4;
        head = '';
      }
      left -= chunk.length - at;
      if (left > 0) return;
      count++;
      left = -1;
      if (performance.now() < end) socket.write(request);
      else socket.end();
    });
  });
}

export function requestBytes(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Buffer = Buffer.alloc(0),
): Buffer {
  const all = { host: 'localhost', ...headers, 'content-length': String(body.length) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}
