import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../errors.ts';
import type { PhotoSource } from './photo-source.ts';

interface CameraServerOptions {
  camera: PhotoSource;
  /** The origin of the booth's page: no other page may take photos. */
  origin: string;
  port: number;
  report(line: string): void;
}

/** A photo that is being taken, for so many who wait. */
interface Shot {
  photo: Promise<Buffer>;
  unwanted: AbortController;
  waiting: number;
}

/**
 * Serves a camera to the booth's page of the same machine: `GET /camera` says what it is, `POST /photos` takes a photo.
 * It listens on this machine alone.
 */
export async function serveCamera({ camera, origin, port, report }: CameraServerOptions) {
  let taking: Shot | null = null;
  const take = (): Shot => {
    const unwanted = new AbortController();
    const photo = camera.shoot(unwanted.signal).finally(() => {
      taking = null;
    });
    return { photo, unwanted, waiting: 0 };
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      const sentence = error instanceof AppError ? error.message : 'The photo could not be taken.';
      report(sentence);
      if (!response.headersSent) send(response, 503, { error: sentence });
    });
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    // A page of another origin is refused by its browser; one that asks without one is no page of a booth.
    if (request.headers.origin !== origin)
      return send(response, 403, { error: 'Not the page of the booth.' });
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('vary', 'origin');
    const asked = `${request.method} ${request.url}`;
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-methods', 'GET, POST');
      // Chromium asks before a page of a network calls a program of the machine.
      response.setHeader('access-control-allow-private-network', 'true');
      response.writeHead(204).end();
      return;
    }
    if (asked === 'GET /camera') return send(response, 200, { name: camera.name });
    if (asked !== 'POST /photos') return send(response, 404, { error: 'Not found.' });
    // One that nobody waits for is being stopped.
    while (taking?.unwanted.signal.aborted) await taking.photo.catch(() => {});
    // A second touch has the photo of the first, also when the page of the first is gone.
    taking ??= take();
    const shot = taking;
    shot.waiting++;
    response.once('close', () => {
      if (--shot.waiting === 0) shot.unwanted.abort();
    });
    const bytes = await shot.photo;
    report(`A photo of ${(bytes.length / 1e6).toFixed(1)} MB.`);
    response.writeHead(200, { 'content-type': 'image/jpeg', 'cache-control': 'no-store' }).end(bytes);
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  }).catch((cause) => {
    throw new AppError('USAGE', `Port ${port} is taken. Choose another with --port.`, { cause });
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}
