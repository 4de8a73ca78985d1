/** Tells those who wait in this process that a job has changed. Others look at the database. */
export interface JobEvents {
  changed(jobId: string): void;
  /** Calls back on every change until the returned function is called. */
  follow(jobId: string, listener: () => void): () => void;
}

export function jobEvents(): JobEvents {
  const followers = new Map<string, Set<() => void>>();
  return {
    changed(jobId) {
      for (const listener of followers.get(jobId) ?? []) listener();
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
