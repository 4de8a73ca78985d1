import type { FamilyName } from '@guise/contract/families.ts';
import { type ChangeListener, followChanges } from './changes.ts';
import { type RunCallOptions, submitRun } from './runs.ts';
import { type RequestOptions, Transport, type TransportOptions } from './transport.ts';

type CallOptions = Pick<RequestOptions, 'query' | 'body' | 'signal' | 'headers' | 'onUpload'>;

/** A Guise server, seen by an account. */
export class Guise {
  readonly transport: Transport;

  constructor(options: TransportOptions) {
    this.transport = new Transport(options);
  }

  get<T>(path: string, query?: RequestOptions['query'], signal?: AbortSignal): Promise<T> {
    return this.transport.request('GET', path, { query: query ?? {}, signal });
  }

  post<T>(path: string, body?: unknown, options: CallOptions = {}): Promise<T> {
    return this.transport.request('POST', path, { body, ...options });
  }

  patch<T>(path: string, body: unknown, options: CallOptions = {}): Promise<T> {
    return this.transport.request('PATCH', path, { body, ...options });
  }

  delete(path: string, options: CallOptions = {}): Promise<void> {
    return this.transport.request('DELETE', path, options);
  }

  submit(family: FamilyName, body: Record<string, unknown>, options?: RunCallOptions) {
    return submitRun(this.transport, family, body, options);
  }

  followChanges(listener: ChangeListener): () => void {
    return followChanges(this.transport, listener);
  }
}
