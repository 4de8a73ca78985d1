import { useConnection, useQueue } from '../../app/changes.tsx';
import { duration } from '../../ui/format-time.ts';

/** How much waits and runs now. */
export function QueueLine() {
  const queue = useQueue();
  const isLost = useConnection() === 'lost';
  return (
    <p className="text-ink-soft">
      {isLost
        ? 'The server does not answer. What waits and runs is not known.'
        : queue === undefined
          ? ' '
          : queue.waiting + queue.running === 0
            ? 'Nothing is waiting or running.'
            : `${queue.waiting.toLocaleString('en')} waiting, ${queue.running.toLocaleString('en')} running${
                queue.waiting > 0 ? `. The longest has waited ${duration(queue.wait_ms)}.` : '.'
              }`}
    </p>
  );
}
