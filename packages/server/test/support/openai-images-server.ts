import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

/** An answer in place of the usual one; `hang` never answers, `drop` ends the connection. */
export type PlannedAnswer =
  | { status: number; body: unknown; headers?: Record<string, string> }
  | 'hang'
  | 'drop'
  | 'garbage';

export interface OpenaiImagesServer {
  url: string;
  key: string;
  /** What each request said, in order: the fields and how many photos. */
  requests: { path: string; fields: Record<string, string>; photos: Buffer[] }[];
  /** Answers of the next requests. */
  planned: PlannedAnswer[];
  /** What each answer holds in place of a picture of the size asked for. */
  picture: Buffer | null;
  stop(): Promise<void>;
}

/** An error in the shape of `ErrorResponse` of OpenAI's openapi.yaml. */
export const openaiError = (status: number, code: string | null, message: string, more: object = {}) => ({
  status,
  body: { error: { code, message, param: null, type: 'invalid_request_error', ...more } },
});

/**
 * OpenAI's images interface: answers in the shape of `ImagesResponse` of their openapi.yaml. With `isSdCpp`, as
 * stable-diffusion.cpp's sd-server answers: without usage, errors as a text, settings in the prompt.
 */
export async function openaiImagesServer({
  isSdCpp = false,
  beforeAnswer = async () => {},
} = {}): Promise<OpenaiImagesServer> {
  const server: OpenaiImagesServer = {
    url: '',
    key: 'sk-FAKE-KEY-THAT-NEVER-LEAVES',
    requests: [],
    planned: [],
    picture: null,
    async stop() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  const http = createServer((request, response) => void handle(request, response));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url!, 'http://x').pathname;
    if (!isSdCpp && request.headers.authorization !== `Bearer ${server.key}`)
      return send(response, openaiError(401, 'invalid_api_key', 'Incorrect API key provided'));
    if (path === '/v1/models') {
      const id = isSdCpp ? 'sd-cpp-local' : 'gpt-image-2';
      const body = { object: 'list', data: [{ id, object: 'model', created: 1, owned_by: 'openai' }] };
      return send(response, { status: 200, body });
    }
    const said = await readRequest(request);
    server.requests.push({ path, ...said });
    const planned = server.planned.shift();
    if (planned === 'hang') return;
    if (planned === 'drop') return void request.socket.destroy();
    if (planned === 'garbage') return void response.end('<html>');
    if (planned) return send(response, planned);
    if (!said.fields.prompt)
      return send(
        response,
        isSdCpp ? { status: 400, body: { error: 'prompt required' } } : openaiError(400, null, 'prompt'),
      );
    await beforeAnswer();
    const bytes = server.picture ?? (await pictureOf(said));
    const body = {
      created: 1_763_000_000,
      output_format: 'png',
      data: [{ b64_json: bytes.toString('base64') }],
      ...(!isSdCpp && {
        usage: {
          total_tokens: 2_100,
          input_tokens: 1_100,
          output_tokens: 1_000,
          input_tokens_details: { text_tokens: 100, image_tokens: 1_000 },
        },
      }),
    };
    send(response, { status: 200, body });
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`;
  return server;
}

async function readRequest(request: IncomingMessage) {
  const type = request.headers['content-type'] ?? '';
  const body = await buffer(request);
  if (!type.startsWith('multipart/')) {
    const json = JSON.parse(body.toString() || '{}') as Record<string, unknown>;
    const fields = Object.fromEntries(Object.entries(json).map(([name, value]) => [name, String(value)]));
    return { fields, photos: [] };
  }
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const fields: Record<string, string> = {};
  const photos: Buffer[] = [];
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = value;
    else if (name === 'image' || name === 'image[]') photos.push(Buffer.from(await value.arrayBuffer()));
  }
  return { fields, photos };
}

async function pictureOf({
  fields,
  photos,
}: {
  fields: Record<string, string>;
  photos: Buffer[];
}): Promise<Buffer> {
  const [width = 0, height = 0] = (fields.size ?? '64x96').split('x').map(Number);
  const source = photos[0]
    ? sharp(photos[0]).resize(width, height, { fit: 'cover' })
    : sharp({ create: { width, height, channels: 3, background: '#3060a0' } });
  return source.png({ compressionLevel: 1 }).toBuffer();
}

function send(response: ServerResponse, { status, body, headers }: Exclude<PlannedAnswer, string>): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
