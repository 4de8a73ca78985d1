/** Messages between the processes that share a database. They may be lost, so a subscriber also polls. */
export interface MessageBus {
  /** To every process, this one included. At most 8,000 bytes. */
  publish(message: string): Promise<void>;
  /** Calls back for every message until the returned function is called. */
  subscribe(listener: (message: string) => void): () => void;
  close(): Promise<void>;
}

/** For an installation of one process. */
export const noMessageBus: MessageBus = {
  publish: async () => {},
  subscribe: () => () => {},
  close: async () => {},
};
