import { errorOf, type GuiseError, networkError } from './guise-error.ts';
import { canWatchUploads, postWithProgress } from './post-with-progress.ts';

export interface TransportOptions {
  /** Where Guise listens, such as `http://127.0.0.1:8080`. Empty in a page that Guise itself serves. */
  baseUrl: string;
  /** A key or an access token. */
  apiKey?: string | undefined;
  /** Use the session of the browser instead of a key. */
  session?: boolean | undefined;
  /** How often a request is sent again after 429, 5xx or a lost connection; 2 by default. */
  retries?: number | undefined;
  /** A server that wants a longer pause than this before the next attempt is an error at once; 10 s by default. */
  longestRetrySeconds?: number | undefined;
  fetch?: typeof globalThis.fetch | undefined;
}

export interface RequestOptions {
  query?: Record<string, string | number | boolean | null | undefined>;
  /** Sent as JSON; `URLSearchParams` as a form, a `Blob` as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Called while the body is sent, with the share that has left. Browsers only. */
  onUpload?: ((share: number) => void) | undefined;
}

/** An answer with its `ETag`, for edits that must not overwrite somebody else's. */
export interface Tagged<T> {
  value: T;
  etag: string | undefined;
}

/** Sends requests: credentials, JSON, errors, retries. */
export class Transport {
  readonly baseUrl: string;
  #options: TransportOptions;
  #unauthorized = new Set<(path: string) => void>();

  constructor(options: TransportOptions) {
    this.#options = options;
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
  }

  /** Uses another key from now on; without one, the session of the browser. */
  setKey(apiKey: string | undefined): void {
    this.#options = { ...this.#options, apiKey, session: apiKey === undefined };
  }

  /** Calls back whenever the credentials are refused, with the path of the request. */
  onUnauthorized(listener: (path: string) => void): () => void {
    this.#unauthorized.add(listener);
    return () => this.#unauthorized.delete(listener);
  }

  async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    return (await this.requestTagged<T>(method, path, options)).value;
  }

  async requestTagged<T>(method: string, path: string, options: RequestOptions = {}): Promise<Tagged<T>> {
    const { content, type } = encodeBody(options.body);
    const headers = {
      ...this.headers(),
      ...(type !== undefined && { 'content-type': type }),
      // A request that is sent again must not make the same thing twice.
      ...(method === 'POST' && { 'idempotency-key': randomId() }),
      ...options.headers,
    };
    const answer = await this.#withRetries(options.signal, () =>
      this.#send(method, this.#url(path, options.query), { ...options, headers, content }),
    );
    return {
      value: (answer.text === '' ? undefined : JSON.parse(answer.text)) as T,
      etag: answer.header('etag') ?? undefined,
    };
  }

  /** An answer that is read as it comes. */
  async open(path: string, options: RequestOptions = {}): Promise<Response> {
    const url = this.#url(path, options.query);
    const response = await this.#fetch(url, {
      headers: { ...this.headers(), ...options.headers },
      ...(options.signal && { signal: options.signal }),
    });
    if (!response.ok) throw this.#refused(url, response.status, await response.text(), response.headers);
    return response;
  }

  /** A file by a signed link, which needs no credentials and may lead to another server. */
  download(url: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    return this.#withRetries(signal, async () => {
      const response = await this.#fetch(url, signal ? { signal } : {});
      if (!response.ok) throw errorOf(response.status, await response.text(), response.headers);
      return new Uint8Array(await readAnswer(response.arrayBuffer(), signal));
    });
  }

  headers(): Record<string, string> {
    const { apiKey, session } = this.#options;
    if (apiKey !== undefined) return { 'x-api-key': apiKey };
    return session ? { 'x-guise-session': '1' } : {};
  }

  #url(path: string, query: RequestOptions['query']): string {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined && value !== null) params.set(name, String(value));
    const text = params.toString();
    return this.baseUrl + path + (text && `?${text}`);
  }

  async #send(
    method: string,
    url: string,
    { content, headers, signal, onUpload }: RequestOptions & { content: string | Blob | undefined },
  ): Promise<{ text: string; header(name: string): string | null }> {
    if (onUpload && canWatchUploads && !(content instanceof Blob)) {
      const { status, ...answer } = await postWithProgress({
        url,
        text: content ?? '',
        headers,
        signal,
        onUpload,
      });
      if (status >= 400) throw this.#refused(url, status, answer.text, { get: answer.header });
      return answer;
    }
    const response = await this.#fetch(url, {
      method,
      headers: headers ?? {},
      ...(content !== undefined && { body: content }),
      ...(signal && { signal }),
    });
    const answer = await readAnswer(response.text(), signal);
    if (!response.ok) throw this.#refused(url, response.status, answer, response.headers);
    return { text: answer, header: (name) => response.headers.get(name) };
  }

  #refused(
    url: string,
    status: number,
    text: string,
    headers: { get(name: string): string | null },
  ): GuiseError {
    const path = url.slice(this.baseUrl.length);
    if (status === 401) for (const listener of this.#unauthorized) listener(path);
    return errorOf(status, text, headers);
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    try {
      return await (this.#options.fetch ?? globalThis.fetch)(url, init);
    } catch (error) {
      init.signal?.throwIfAborted();
      throw networkError(error);
    }
  }

  async #withRetries<T>(signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
    const { retries = 2, longestRetrySeconds = 10 } = this.#options;
    for (let sent = 1; ; sent++) {
      try {
        return await attempt();
      } catch (error) {
        if (sent > retries || !isRetryable(error)) throw error;
        const seconds = error.retryAfterSeconds ?? 0.25 * 2 ** sent;
        // Whoever waits would rather be told.
        if (seconds > longestRetrySeconds) throw error;
        // Clients that were refused together must not come back together.
        await pause((seconds + (0.5 * seconds + 0.25) * Math.random()) * 1000, signal);
      }
    }
  }
}

/** An answer that breaks off is a lost connection. */
async function readAnswer<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    signal?.throwIfAborted();
    throw networkError(error);
  }
}

function encodeBody(body: unknown): { content: string | Blob | undefined; type: string | undefined } {
  if (body === undefined) return { content: undefined, type: undefined };
  if (body instanceof Blob) return { content: body, type: 'application/octet-stream' };
  if (body instanceof URLSearchParams)
    return { content: body.toString(), type: 'application/x-www-form-urlencoded' };
  return { content: JSON.stringify(body), type: 'application/json' };
}

function isRetryable(error: unknown): error is GuiseError {
  return error instanceof Error && error.name === 'GuiseError' && (error as GuiseError).retryable;
}

/** Waits, and throws as soon as the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** A random UUID. Browsers have `crypto.randomUUID` only in pages of https and of the machine itself. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
