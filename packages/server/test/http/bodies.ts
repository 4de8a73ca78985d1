import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { errorStatus } from '../../src/http/error-status.ts';
import type { Route } from '../../src/http/route.ts';
import { routes } from '../../src/http/routes.ts';
import { familyCases } from '../support/contract-cases.ts';
import { photo, startTestServer } from '../support/harness.ts';
import { bodyTexts, type Known } from './body-texts.ts';

/**
 * Sends generated bodies to every endpoint that reads JSON:
 * `npm run test:fuzz -- --count 100000`, and `--seed N` to send the same ones again.
 */
export interface FuzzReport {
  sent: number;
  /** Answers by status; 0 stands for a connection that was closed on a body that never ended. */
  answers: Record<number, number>;
  codes: Record<string, number>;
  violations: string[];
}

/** How the bytes travel. */
type Way = 'whole' | 'chunked' | 'truncated' | 'too long';
interface Sending {
  route: Route;
  path: string;
  body: Buffer;
  type: string | null;
  way: Way;
}

const contentTypes = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'image/png',
  'nonsense;;;',
  null,
];
const atOnce = 8;

export async function fuzzBodies(wanted: { count: number; seed: number }): Promise<FuzzReport> {
  const server = await startTestServer({ maxQueued: 1_000_000, accountQueueShare: 1, runsPerMinute: 0 });
  const account = await server.account(1_000_000_000);
  const made = await account.call('POST', '/v1/users/me/my-custom-filters', {
    name: 'mine',
    filter_type: 'face_swap',
    definition: { kind: 'prompt', prompt: 'a quiet place' },
  });
  const alias = await account.call('POST', '/api/alias/', { ai_filter: made.body.id });
  const known = { photo, ids: [made.body.id, alias.body.id] as string[] };
  const workflow = { kind: 'workflow', workflow: { a: 1 }, bindings: { photo: '1.image' } };
  const examples: Record<string, Record<string, unknown>> = {
    '/v1/users/me/my-custom-filters': { name: 'new', filter_type: 'multi_swap', definition: workflow },
    '/v1/users/me/my-custom-filters/{id}': { definition: { kind: 'template', image: photo } },
    '/v1/users/me/my-custom-filters/{id}/duplicate': { name: 'copy' },
    '/v1/filter_drafts/test': {
      filter_type: 'face_swap',
      definition: { kind: 'template', image: photo },
      sample: 'head',
    },
    '/v1/prompt_checks': { family: 'single_frame_video', model: 'simple', prompt: 'she smiles' },
    '/v1/template_checks': { image: photo },
    '/v1/workflow_checks': { workflow: { a: { class_type: 'LoadImage', inputs: { image: 'x' } } } },
    '/api/alias/': { ai_filter: made.body.id, project: 'stand 4' },
    '/api/alias/{id}/': { project: 'stand 5' },
    ...Object.fromEntries(familyCases.map(({ run, body }) => [run, body])),
  };
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const headers = { 'x-api-key': account.api_key };
  const report: FuzzReport = { sent: 0, answers: {}, codes: {}, violations: [] };

  const all = sendings(known, examples);
  for (let batch = 0; report.sent < wanted.count; batch++) {
    const numRuns = Math.min(200, wanted.count - report.sent);
    const queue = fc.sample(all, { numRuns, seed: wanted.seed + batch });
    const sendThem = async () => {
      for (let next = queue.pop(); next; next = queue.pop()) {
        report.sent++;
        await sendOne(server.url, agent, headers, next, report);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sendThem));
    const health = await account.call('GET', '/health');
    if (health.status !== 200) report.violations.push(`the server is not healthy: ${health.status}`);
  }
  agent.destroy();
  await server.stop();
  return report;
}

function sendings(known: Known, examples: Record<string, Record<string, unknown>>): fc.Arbitrary<Sending> {
  const reading = routes.filter((route) => route.bodyKind === 'json' && route.body);
  return fc.oneof(
    ...reading.map((route) => ({
      // Runs are what most callers send.
      weight: route.startsJob ? 3 : 1,
      arbitrary: fc.record({
        route: fc.constant(route),
        path: fc
          .oneof(fc.constantFrom(...known.ids), fc.string({ maxLength: 20 }))
          .map((id) => route.path.replace('{id}', encodeURIComponent(id.isWellFormed() ? id : 'x'))),
        body: bodyTexts(route.body!, examples[route.path] ?? { name: 'a name' }, known),
        type: fc.oneof(
          { weight: 5, arbitrary: fc.constant('application/json') },
          fc.constantFrom(...contentTypes),
        ),
        way: fc.oneof(
          { weight: 12, arbitrary: fc.constant<Way>('whole') },
          fc.constantFrom<Way>('chunked', 'truncated', 'too long'),
        ),
      }),
    })),
  );
}

async function sendOne(
  url: string,
  agent: Agent,
  headers: Record<string, string>,
  sending: Sending,
  report: FuzzReport,
): Promise<void> {
  const { route, path, body, type, way } = sending;
  const broken = (what: string) => {
    const shown = body.toString('latin1', 0, 300);
    report.violations.push(
      `${what}: ${route.method} ${path} (${way}, ${type}, ${body.length} bytes) ${shown}`,
    );
  };
  const typed = { ...headers, ...(type !== null && { 'content-type': type }) };
  const answer = await (way === 'whole' || way === 'chunked'
    ? send(url, agent, typed, sending)
    : sendRaw(url, typed, sending)
  ).catch((error: Error): RawAnswer => ({ status: -1, headers: {}, body: error.message }));
  report.answers[answer.status] = (report.answers[answer.status] ?? 0) + 1;
  if (answer.status === -1) return broken(`no answer, ${answer.body}`);
  if (answer.status === 0) return;
  if (answer.status >= 500) broken(`status ${answer.status}`);
  if (!answer.headers['content-type']?.startsWith('application/json'))
    return broken('an answer that is no JSON');
  const content = parsed(answer.body);
  if (content === undefined) return broken(`an answer that is no JSON, ${answer.body}`);
  if (answer.status < 400) return;
  const code = content.error_code ?? content.error?.code;
  report.codes[code] = (report.codes[code] ?? 0) + 1;
  // What follows a body that is longer than it says is no request, and has no path whose shape the answer could have.
  const isShaped = path.startsWith('/openai/')
    ? isOpenAiError(content) || (way === 'too long' && isError(content))
    : isError(content) || (path === '/mcp' && isJsonRpcError(content));
  if (!isShaped) broken(`an error of another shape, ${answer.body}`);
}

// biome-ignore-start lint/suspicious/noExplicitAny: what a server answers is what the tests look into.
function isError({ error_code, error, detail, request_id }: any): boolean {
  return (
    errorStatus[error_code] !== undefined &&
    typeof error === 'string' &&
    error.length > 0 &&
    error === detail &&
    /^[0-9a-f-]{20,36}$/.test(request_id)
  );
}

function isOpenAiError({ error }: any): boolean {
  const texts = [error?.message, error?.type, error?.code];
  return texts.every((text) => typeof text === 'string' && text !== '') && error.param !== '';
}

/** What the SDK answers to a body that is JSON and no message of the protocol. */
function isJsonRpcError({ jsonrpc, error }: any): boolean {
  return jsonrpc === '2.0' && typeof error?.code === 'number' && typeof error.message === 'string';
}
// biome-ignore-end lint/suspicious/noExplicitAny: what a server answers is what the tests look into.

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface RawAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

async function send(
  url: string,
  agent: Agent,
  headers: Record<string, string>,
  { route, path, body, way }: Sending,
): Promise<RawAnswer> {
  const length = way === 'whole' ? { 'content-length': body.length } : { 'transfer-encoding': 'chunked' };
  const request = httpRequest(url + path, {
    agent,
    method: route.method,
    headers: { ...headers, ...length },
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  // A refusal may come before the body is through, and the rest of the body has nowhere to go then.
  request.on('error', () => {});
  if (way === 'chunked')
    for (let at = 0; at < body.length; at += 4096) request.write(body.subarray(at, at + 4096));
  request.end(way === 'whole' ? body : undefined);
  const [response] = await answered;
  return { status: response.statusCode!, headers: response.headers, body: await text(response) };
}

/** A body that is shorter than its length says, after which the caller hangs up; or one that goes on after its end. */
async function sendRaw(
  url: string,
  headers: Record<string, string>,
  { route, path, body, way }: Sending,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const length = way === 'truncated' ? body.length + 10 : Math.max(0, body.length - 10);
  const lines = Object.entries({ host: 'test', ...headers, 'content-length': length, connection: 'close' });
  socket.on('error', () => {});
  socket.write(
    `${route.method} ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`,
  );
  socket.end(body);
  const answer = await text(socket).catch(() => '');
  const [head = '', content = ''] = answer.split('\r\n\r\n', 2);
  const status = Number(/^HTTP\/1.1 (\d{3})/.exec(head)?.[1] ?? 0);
  const type = /^content-type: (.*)$/im.exec(head)?.[1]?.trim();
  // What goes on after its end is another request, with a refusal of its own behind the first answer.
  const size = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? content.length);
  const first = Buffer.from(content).subarray(0, size).toString();
  return { status, headers: { 'content-type': type }, body: first };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '100000' },
      seed: { type: 'string', default: String(Date.now() % 1e9) },
    },
  });
  const began = Date.now();
  const report = await fuzzBodies({ count: Number(values.count), seed: Number(values.seed) });
  const answers = Object.entries(report.answers).map(([status, count]) => `${count} × ${status}`);
  console.log(
    `${report.sent} bodies in ${Math.round((Date.now() - began) / 1000)} s (seed ${values.seed}): ${answers.join(', ')}; ` +
      `${report.violations.length} violations`,
  );
  for (const violation of report.violations.slice(0, 50)) console.log(violation);
  if (report.violations.length > 0) process.exitCode = 1;
}
