/** Messages between the processes that share a database. They may be lost, so a subscriber also polls. */
export interface EventBus {
  /** To every process, this one included. At most 8,000 bytes. */
  publish(message: string): Promise<void>;
  /** Calls back for every message until the returned function is called. */
  subscribe(listener: (message: string) => void): () => void;
  close(): Promise<void>;
}

/** For an installation of one process. */
export const noEventBus: EventBus = {
  publish: async () => {},
  subscribe: () => () => {},
  close: async () => {},
};
