import { onStopSignal } from '../platform.ts';

/** The first signal stops the process in order: requests and jobs are ended or given back. The second ends it at once. */
export function stopOnSignal(node: { stop(): Promise<void> }): void {
  let stopping = false;
  onStopSignal(() => {
    if (stopping) process.exit(1);
    stopping = true;
    void node.stop().then(() => process.exit(0));
  });
}
