import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { chunk, pngOf } from '../../packages/server/test/media/png-file.ts';
import { photo } from '../../packages/server/test/support/harness.ts';
import { makeBombs } from './hardening/bombs/bombs.ts';
import { type Call, makePicturePlaces } from './hardening/bombs/picture-places.ts';

/** Clients that mean harm, for the soak and for `npm run bench:hostile`. docs/security.md has the table of attacks. */

/** A server, and the key of an account that attackers have. */
export interface AttackTarget {
  url: string;
  key: string;
}

/** Goes on until the signal aborts. Whatever is answered, or not, is the server's business. */
export type Attack = (target: AttackTarget, signal: AbortSignal) => Promise<void>;

const runPath = '/v6/run/face_swap';

/** A picture of 25,000,000 × 1 pixels in 24 KB, and one of 65,500 × 381. */
const strangePictures: Attack = async (target, signal) => {
  const wide = pngOf(
    { width: 25_000_000, height: 1, depth: 1 },
    chunk('IDAT', deflateSync(Buffer.alloc(3_125_001))),
  );
  const flat = await sharp({ create: { width: 65_500, height: 381, channels: 3, background: '#876' } })
    .jpeg({ quality: 20 })
    .toBuffer();
  const bodies = [wide, flat].map((image) => runBody({ base64: image.toString('base64') }));
  await repeat(2, signal, (i) => post(target, runPath, bodies[i % 2]!, signal));
};

/** Wrong passwords for many names. */
const logins: Attack = ({ url }, signal) =>
  repeat(10, signal, async (i) => {
    const body = new URLSearchParams({ username: `name${i}@example.com`, password: 'guess' });
    await drain(await fetch(`${url}/token`, { method: 'POST', body, signal }));
  });

/** Bodies of millions of values, with and without a length. */
const values: Attack = async (target, signal) => {
  const many = Buffer.from(`{"base64":[${'{},'.repeat(8_000_000)}{}]}`);
  await repeat(4, signal, (i) => post(target, runPath, i % 2 === 0 ? many : streamOf(many), signal));
};

/** Jobs that are cancelled at once, each with a webhook to a receiver that never answers. */
const webhooks: Attack = async (target, signal) => {
  const receiver = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
  const webhook_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  try {
    await repeat(2, signal, async () => {
      const answer = await post(target, runPath, runBody({ webhook_url }), signal);
      const { id } = JSON.parse(answer) as { id?: string };
      if (id) await post(target, `/v1/jobs/${id}/cancel`, Buffer.alloc(0), signal);
      else await sleep(100, undefined, { signal });
    });
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
};

/** Custom filters by the hundred, which all want previews, and tests of them. */
const previews: Attack = async (target, signal) => {
  const path = '/v1/users/me/my-custom-filters';
  const filter = (i: number) => ({
    name: `filter ${i}`,
    filter_type: 'face_swap',
    definition: { kind: 'prompt', prompt: `a lake, ${i}` },
  });
  let made = 0;
  await repeat(4, signal, async () => {
    const answer = await post(target, path, Buffer.from(JSON.stringify(filter(made++))), signal);
    const { id } = JSON.parse(answer) as { id?: string };
    if (id) await post(target, `${path}/${id}/test`, Buffer.alloc(0), signal);
    else await sleep(100, undefined, { signal });
  });
};

/** Connections that have had an answer and stay open, as many as the server lets. */
const idleConnections: Attack = async ({ url }, signal) => {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  const openOne = async () => {
    const socket = connect({ host: hostname, port: Number(port) });
    open.add(socket);
    socket.on('error', () => {}).once('close', () => open.delete(socket));
    socket.write('GET /health HTTP/1.1\r\nhost: attacker\r\n\r\n');
    await once(socket, 'data', { signal });
    if (open.size > mostIdle) open.values().next().value!.destroy();
  };
  await repeat(20, signal, openOne);
  for (const socket of open) socket.destroy();
};
const mostIdle = 4000;

/** Two hundred requests at once over each of a few connections, which read no answer. */
const pipelinedRequests: Attack = async ({ url, key }, signal) => {
  const { hostname, port } = new URL(url);
  const requests = `GET /v1/jobs HTTP/1.1\r\nhost: attacker\r\nx-api-key: ${key}\r\n\r\n`.repeat(200);
  await repeat(8, signal, async () => {
    const socket = connect({ host: hostname, port: Number(port) }).on('error', () => {});
    socket.write(requests);
    await sleep(500, undefined, { signal }).catch(() => {});
    socket.destroy();
  });
};

/** Runs of photos by URL, from a server that sends a byte a second. */
const slowPhotos: Attack = async (target, signal) => {
  const slow = createServer((_request, response) => {
    const timer = setInterval(() => response.write('x'), 1000);
    response.on('close', () => clearInterval(timer));
  }).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const base64 = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/photo.jpg`;
  try {
    await repeat(60, signal, () => post(target, runPath, runBody({ base64 }), signal));
  } finally {
    slow.closeAllConnections();
    slow.close();
  }
};

/** Runs of photos by URL, whose names nobody has asked for before: each holds a thread where the resolver is slow. */
const nameLookups: Attack = (target, signal) =>
  repeat(40, signal, (i) => {
    const base64 = `http://host-${process.pid}-${i}.example/photo.jpg`;
    return post(target, runPath, runBody({ base64 }), signal);
  });

/** Photos of 25 megapixels, 16 bit and interlaced, added to a set. */
const setPhotos: Attack = async (target, signal) => {
  const side = 5000;
  const pixels = Buffer.alloc(side * side * 3 * 2);
  const image = await sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .toColourspace('rgb16')
    .png({ progressive: true })
    .toBuffer();
  const set = await post(target, '/v1/photo_sets', Buffer.from('{"name":"many"}'), signal);
  const { id } = JSON.parse(set) as { id: string };
  const body = Buffer.from(JSON.stringify({ name: 'large', image: image.toString('base64') }));
  await repeat(24, signal, () => post(target, `/v1/photo_sets/${id}/photos`, body, signal));
};

/** Requests that are wrong in small ways, and pages that anybody may ask for. */
const strangers: Attack = (target, signal) => {
  const requests = [
    () => fetch(`${target.url}/openapi.json`, { signal }),
    () => fetch(`${target.url}/docs/__proto__`, { signal }),
    () => fetch(`${target.url}/docs/swagger-ui-bundle.js`, { signal }),
    () => fetch(`${target.url}/metrics`, { signal }),
    () => fetch(`${target.url}/v1/jobs?cursor=%00`, { headers: { 'x-api-key': target.key }, signal }),
    () => fetch(`${target.url}/v6/status/%00`, { method: 'POST', signal }),
  ];
  return repeat(8, signal, async (i) => drain(await requests[i % requests.length]!()));
};

/** Every bomb to every endpoint that takes a picture. */
const bombs: Attack = async ({ url, key }, signal) => {
  const call: Call = async (method, path, body) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    return (await fetch(url + path, { method, headers, body: JSON.stringify(body), signal })).json() as never;
  };
  const places = [...(await makePicturePlaces(call, key)).values()];
  const files = await makeBombs({ large: true });
  await repeat(4, signal, async (i) => {
    const { path, ...request } = places[i % places.length]!(files[i % files.length]!.bytes);
    await drain(await fetch(url + path, { ...request, signal }));
  });
};

export const attacks = {
  bombs,
  strangePictures,
  logins,
  values,
  webhooks,
  previews,
  strangers,
  idleConnections,
  pipelinedRequests,
  slowPhotos,
  nameLookups,
  setPhotos,
};
export type AttackName = keyof typeof attacks;

function runBody(change: object): Buffer {
  return Buffer.from(JSON.stringify({ base64: photo, gender: 1, filter_id: 1, ...change }));
}

/**
 * So many at once, again and again. A connection that the server has closed is no reason to stop. An attack ends with
 * its signal: a `fetch` whose body is a stream may never settle when its server is killed.
 */
async function repeat(
  connections: number,
  signal: AbortSignal,
  once: (i: number) => Promise<unknown>,
): Promise<void> {
  let count = 0;
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  const one = async () => {
    while (!signal.aborted) {
      const settled = once(count++).catch(() => sleep(20, undefined, { signal }).catch(() => {}));
      await Promise.race([settled, aborted]);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
}

async function post(
  target: AttackTarget,
  path: string,
  body: Buffer | ReadableStream,
  signal: AbortSignal,
): Promise<string> {
  const response = await fetch(target.url + path, {
    method: 'POST',
    headers: { 'x-api-key': target.key, 'content-type': 'application/json' },
    ...(body instanceof Buffer && body.length === 0 ? {} : { body: body as ReadableStream, duplex: 'half' }),
    signal,
  });
  return response.text();
}

/** Without a length, in chunks. */
function streamOf(bytes: Buffer): ReadableStream {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(at, at + 65_536));
      at += 65_536;
    },
  });
}

async function drain(response: Response): Promise<void> {
  await response.arrayBuffer();
}
