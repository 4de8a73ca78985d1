import { useQueue } from '../../app/changes.tsx';
import { duration } from '../../ui/format-time.ts';

/** How much waits and runs now. */
export function QueueLine() {
  const queue = useQueue();
  return (
    <p className="text-ink-soft">
      {queue === undefined
        ? ' '
        : queue.waiting + queue.running === 0
          ? 'Nothing waits or runs.'
          : `${queue.waiting.toLocaleString('en')} waiting, ${queue.running.toLocaleString('en')} running${
              queue.waiting > 0 ? `. The longest has waited ${duration(queue.wait_ms)}.` : '.'
            }`}
    </p>
  );
}
