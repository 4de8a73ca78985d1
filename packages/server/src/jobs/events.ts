import { newId } from '../ids.ts';
import { type EventBus, noEventBus } from '../store/event-bus.ts';

/** Tells those who wait that a job has changed, in this process at once and in others over the event bus. */
export interface JobEvents {
  publish(jobId: string): void;
  /** Calls back on every change until the returned function is called. */
  subscribe(jobId: string, listener: () => void): () => void;
}

/** Changes of this long go out as one message: at many jobs a second, one for each would cost more than the jobs. */
const batchMs = 20;
/** Ids of 36 characters in a message of at most 8,000 bytes. */
const idsInAMessage = 200;

export function jobEvents(bus: EventBus = noEventBus): JobEvents {
  const subscribers = new Map<string, Set<() => void>>();
  const self = newId().slice(-12);
  let batch: Set<string> | null = null;

  const notify = (jobId: string) => {
    for (const listener of subscribers.get(jobId) ?? []) listener();
  };
  const sendBatch = () => {
    const ids = [...(batch ?? [])];
    batch = null;
    for (let at = 0; at < ids.length; at += idsInAMessage) {
      // Nobody relies on it: those who wait in other processes poll the database as well.
      bus.publish([self, ...ids.slice(at, at + idsInAMessage)].join(' ')).catch(() => {});
    }
  };
  bus.subscribe((text) => {
    const [from, ...ids] = text.split(' ');
    if (from !== self) for (const id of ids) notify(id);
  });

  return {
    publish(jobId) {
      notify(jobId);
      if (bus === noEventBus) return;
      if (!batch) {
        batch = new Set();
        setTimeout(sendBatch, batchMs).unref();
      }
      batch.add(jobId);
    },
    subscribe(jobId, listener) {
      const listeners = subscribers.get(jobId) ?? new Set();
      subscribers.set(jobId, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) subscribers.delete(jobId);
      };
    },
  };
}
