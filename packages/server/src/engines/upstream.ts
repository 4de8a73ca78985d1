import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import type { z } from 'zod';

/**
 * Why a call to somebody else's server came to nothing. `unreachable` may or may not have arrived there; `status`
 * was answered with an error, `garbage` with something that is not what its documentation says.
 */
export class UpstreamError extends Error {
  readonly kind: 'unreachable' | 'status' | 'garbage' | 'too large';
  readonly status: number;
  readonly retryAfterMs: number | null;

  constructor(
    kind: UpstreamError['kind'],
    what: string,
    options: { cause?: unknown; status?: number; retryAfterMs?: number | null } = {},
  ) {
    super(what, { cause: options.cause });
    this.name = 'UpstreamError';
    this.kind = kind;
    this.status = options.status ?? 0;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

export interface UpstreamCall {
  method?: 'GET' | 'POST' | 'PUT';
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  json?: unknown;
  form?: FormData;
  signal: AbortSignal;
  timeoutMs?: number;
  maxBytes?: number;
  /** Answers beside 200 that are read as well. */
  also?: readonly number[];
}

/** An answer of any status. */
export interface UpstreamAnswer {
  status: number;
  /** Null where the body is no JSON. */
  body: unknown;
  retryAfterMs: number | null;
}

export interface Upstream {
  /** The answer as the schema reads it. */
  json<T>(schema: z.ZodType<T>, call: UpstreamCall): Promise<T>;
  /**
   * The answer whatever its status, for services that tell failures apart in its body. What of it goes into an error is
   * the caller's to choose.
   */
  answer(call: Omit<UpstreamCall, 'also'>): Promise<UpstreamAnswer>;
  /** For calls whose answer says nothing. */
  send(call: UpstreamCall): Promise<void>;
  download(call: UpstreamCall, file: string): Promise<void>;
  close(): Promise<void>;
}

const defaults = { timeoutMs: 15_000, maxBytes: 32 * 1024 * 1024 };

/**
 * A server of the operator's choice. No redirects, no cookies, no `Origin`; every call has a time limit and every
 * answer a size limit. Nothing of an answer goes into an error: paths, prompts and keys of others may be in it.
 */
export function upstream(address: string, headers: Record<string, string> = {}): Upstream {
  const base = new URL(address.endsWith('/') ? address : `${address}/`);
  let pool: Promise<Dispatcher> | null = null;
  const request = <T>(call: AnyCall, read: ReadAnswer<T>): Promise<T> => {
    call.signal.throwIfAborted();
    pool ??= openPool(base.origin);
    return sendCall({ base, headers, pool }, call, read);
  };
  return {
    json: async (schema, call) =>
      request(call, async (answer) => {
        const parsed = schema.safeParse(jsonOf(await readAll(answer, call.maxBytes ?? defaults.maxBytes)));
        if (parsed.success) return parsed.data;
        const where = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ');
        throw new UpstreamError(
          'garbage',
          `${call.path.split('/')[1]}: not the documented shape at "${where}"`,
        );
      }),
    answer: async (call) =>
      request({ ...call, anyStatus: true }, async (answer) => ({
        status: answer.statusCode,
        body: jsonOrNull(await readAll(answer, call.maxBytes ?? defaults.maxBytes)),
        retryAfterMs: secondsOf(answer.headers['retry-after']),
      })),
    send: async (call) => request(call, async (answer) => void (await answer.body.dump())),
    download: async (call, file) =>
      request(call, async (answer) => {
        const limited = atMost(answer.body, call.maxBytes ?? defaults.maxBytes);
        await pipeline(limited, createWriteStream(file));
      }),
    async close() {
      await (await pool)?.destroy();
    },
  };
}

interface Connection {
  base: URL;
  headers: Record<string, string>;
  pool: Promise<Dispatcher>;
}

type AnyCall = UpstreamCall & { anyStatus?: boolean };
type ReadAnswer<T> = (answer: Dispatcher.ResponseData) => Promise<T>;

async function openPool(origin: string): Promise<Dispatcher> {
  const { Pool } = await import('undici');
  return new Pool(origin, {
    connections: 64,
    connect: { timeout: 5000 },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

async function sendCall<T>(connection: Connection, call: AnyCall, read: ReadAnswer<T>): Promise<T> {
  const { method = 'GET', path, signal, timeoutMs = defaults.timeoutMs, also = [], anyStatus = false } = call;
  const what = `${method} ${path.split('/')[1]}`;
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const pool = await connection.pool;
    const answer = await pool.request(await requestOf(connection, call, AbortSignal.any([signal, limit])));
    if (answer.statusCode === 200 || anyStatus || also.includes(answer.statusCode)) return await read(answer);
    await answer.body.dump().catch(() => {});
    throw new UpstreamError('status', `${what}: ${answer.statusCode}`, {
      status: answer.statusCode,
      retryAfterMs: secondsOf(answer.headers['retry-after']),
    });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof UpstreamError) throw cause;
    const why = limit.aborted ? 'no answer in time' : 'no answer';
    throw new UpstreamError('unreachable', `${what}: ${why}`, { cause });
  }
}

async function requestOf(
  { base, headers }: Connection,
  { method = 'GET', path, query, json, form, ...call }: UpstreamCall,
  signal: AbortSignal,
): Promise<Dispatcher.RequestOptions> {
  const { FormData: Form } = await import('undici');
  return {
    method,
    path: `${base.pathname.slice(0, -1)}${path}${query ? `?${new URLSearchParams(query)}` : ''}`,
    headers: {
      ...headers,
      ...call.headers,
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    body: json !== undefined ? JSON.stringify(json) : form ? copied(form, Form) : null,
    signal,
  };
}

/** undici's request takes its own kind of form. */
function copied(form: FormData, Form: typeof import('undici').FormData): import('undici').FormData {
  const copy = new Form();
  for (const [name, value] of form) {
    if (typeof value === 'string') copy.append(name, value);
    else copy.append(name, value, value.name);
  }
  return copy;
}

async function readAll(answer: Dispatcher.ResponseData, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of atMost(answer.body, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* atMost(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new UpstreamError('too large', `the answer is larger than ${maxBytes} bytes`);
    yield chunk;
  }
}

/** Whether a call never reached the server: nothing of it can have arrived. */
export function neverConnected({ cause }: UpstreamError): boolean {
  const code = (cause as { code?: unknown } | undefined)?.code;
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'].includes(
    String(code),
  );
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new UpstreamError('garbage', 'the answer is no JSON');
  }
}

function jsonOrNull(bytes: Buffer): unknown {
  try {
    return jsonOf(bytes);
  } catch {
    return null;
  }
}

function secondsOf(header: string | string[] | undefined): number | null {
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 300) * 1000 : null;
}
