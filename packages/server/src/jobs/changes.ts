import { newId } from '../ids.ts';
import { type MessageBus, noMessageBus } from '../store/message-bus.ts';

/**
 * Tells those who wait that a job has changed, or something of an account, in this process at once and in others over the
 * message bus. A topic is the id of a job, an account or an event.
 */
export interface Changes {
  publish(topic: string): void;
  /** Calls back on every change until the returned function is called. */
  subscribe(topic: string, listener: () => void): () => void;
}

/** Changes of this long go out as one message: at many jobs a second, one for each would cost more than the jobs. */
const batchMs = 20;
/** Ids of 36 characters in a message of at most 8,000 bytes. */
const idsInAMessage = 200;

export function createChanges(bus: MessageBus = noMessageBus): Changes {
  const subscribers = new Map<string, Set<() => void>>();
  const self = newId().slice(-12);
  let batch: Set<string> | null = null;

  const notify = (topic: string) => {
    for (const listener of subscribers.get(topic) ?? []) listener();
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
    publish(topic) {
      notify(topic);
      if (bus === noMessageBus) return;
      if (!batch) {
        batch = new Set();
        setTimeout(sendBatch, batchMs).unref();
      }
      batch.add(topic);
    },
    subscribe(topic, listener) {
      const listeners = subscribers.get(topic) ?? new Set();
      subscribers.set(topic, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) subscribers.delete(topic);
      };
    },
  };
}
