import { newId } from '../ids.ts';
import { type EventBus, noEventBus } from '../store/event-bus.ts';

/** Tells those who wait that a job has changed, in this process at once and in others over the event bus. */
export interface JobEvents {
  changed(jobId: string): void;
  /** Calls back on every change until the returned function is called. */
  follow(jobId: string, listener: () => void): () => void;
}

/** Changes of this long go out as one word: at many jobs a second, a word for each would cost more than the jobs. */
const gatherMs = 20;
/** Ids of 36 characters in a word of at most 8,000 bytes. */
const idsInAWord = 200;

export function jobEvents(bus: EventBus = noEventBus): JobEvents {
  const followers = new Map<string, Set<() => void>>();
  const self = newId().slice(-12);
  let gathered: Set<string> | null = null;

  const tell = (jobId: string) => {
    for (const listener of followers.get(jobId) ?? []) listener();
  };
  const sayGathered = () => {
    const ids = [...(gathered ?? [])];
    gathered = null;
    for (let at = 0; at < ids.length; at += idsInAWord) {
      // Nobody relies on it: those who wait in other processes look at the database as well.
      bus.publish([self, ...ids.slice(at, at + idsInAWord)].join(' ')).catch(() => {});
    }
  };
  bus.subscribe((text) => {
    const [from, ...ids] = text.split(' ');
    if (from !== self) for (const id of ids) tell(id);
  });

  return {
    changed(jobId) {
      tell(jobId);
      if (bus === noEventBus) return;
      if (!gathered) {
        gathered = new Set();
        setTimeout(sayGathered, gatherMs).unref();
      }
      gathered.add(jobId);
    },
    follow(jobId, listener) {
      const listeners = followers.get(jobId) ?? new Set();
      followers.set(jobId, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) followers.delete(jobId);
      };
    },
  };
}
