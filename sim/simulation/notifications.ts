import type { MessageBus } from '@guise/server/store/message-bus.ts';
import type { SimulatedProcess } from './scheduler.ts';
import type { Simulation } from './simulation.ts';

/** What PostgreSQL's `NOTIFY` carries between processes: quick, to everybody, and lost now and then. */
export interface Notifications {
  /** The bus of the running process. */
  bus(): MessageBus;
  /** Calls back in the running process when a job was queued. */
  onEnqueued(listener: () => void): () => void;
  enqueued(): void;
  forget(process: SimulatedProcess): void;
}

interface Subscriber<T> {
  process: SimulatedProcess;
  listener: (message: T) => void;
}

export function createNotifications({ scheduler, conditions, ...simulation }: Simulation): Notifications {
  const random = simulation.random.fork('notifications');
  const buses = new Set<Subscriber<string>>();
  const queues = new Set<Subscriber<void>>();
  const send = <T>(subscribers: Set<Subscriber<T>>, message: T) => {
    for (const { process, listener } of subscribers) {
      if (conditions.losesMessages && random.chance(0.7)) continue;
      scheduler.schedule(random.between(0.2, 3), () => listener(message), process);
    }
  };
  const subscribe = <T>(subscribers: Set<Subscriber<T>>, listener: (message: T) => void) => {
    const subscriber = { process: scheduler.current, listener };
    subscribers.add(subscriber);
    return () => void subscribers.delete(subscriber);
  };
  return {
    bus: () => ({
      publish: async (message) => send(buses, message),
      subscribe: (listener) => subscribe(buses, listener),
      close: async () => {},
    }),
    onEnqueued: (listener) => subscribe(queues, listener),
    enqueued: () => send(queues, undefined),
    forget(process) {
      for (const subscribers of [buses, queues])
        for (const subscriber of [...subscribers])
          if (subscriber.process === process) subscribers.delete(subscriber as never);
    },
  };
}
