/** Words between the processes that share the records. They may get lost: whoever waits for one looks as well. */
export interface Wire {
  /** To every other process, and back to this one. At most 8,000 bytes. */
  say(text: string): Promise<void>;
  /** Calls back for every word until the returned function is called. */
  hear(listener: (text: string) => void): () => void;
  close(): Promise<void>;
}

/** For a process that is alone. */
export const noWire: Wire = { say: async () => {}, hear: () => () => {}, close: async () => {} };
