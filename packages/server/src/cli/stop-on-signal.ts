/** The first signal stops the process in order: requests and jobs are ended or given back. The second ends it at once. */
export function stopOnSignal(node: { stop(): Promise<void> }): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      void node.stop().then(() => process.exit(0));
    });
  }
}
