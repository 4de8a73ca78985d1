import { GuiseError } from '../guise-error.ts';
import { limitSilence, readEvents } from '../server-sent-events.ts';
import type { Transport } from '../transport.ts';

export interface JobProgress {
  id: string;
  /** A status word of the job's family. */
  status: string;
  /** From 0 to 1. */
  progress: number;
}

/** A stream of events begins with the state of the job: a proxy that keeps it back does not pass events on. */
const firstEventMs = 5_000;
/** A connection that was lost without a word is noticed after this. */
const silenceMs = 30_000;

export interface JobEvent {
  type: 'progress' | 'end';
  job: JobProgress & { error: string | null };
}

/** The events of one stream. It ends without an error when the connection is lost or silent. */
export async function* streamJobEvents(
  transport: Transport,
  id: string,
  signal?: AbortSignal,
): AsyncGenerator<JobEvent, void, undefined> {
  signal?.throwIfAborted();
  const limit = limitSilence(silenceMs, signal, firstEventMs);
  try {
    const response = await transport.open(`/v1/jobs/${encodeURIComponent(id)}/events`, {
      signal: limit.signal,
      headers: { accept: 'text/event-stream' },
    });
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return;
    for await (const event of readEvents(response.body!, limit.heard))
      yield { type: event.type === 'end' ? 'end' : 'progress', job: JSON.parse(event.data) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof GuiseError && !error.retryable) throw error;
  } finally {
    limit.end();
  }
}
