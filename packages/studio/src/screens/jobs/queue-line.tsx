import { useConnection, useQueue } from '../../app/changes.tsx';
import { duration } from '../../ui/format-time.ts';
import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';

/** How much waits and runs now. */
export function QueueLine() {
  const queue = useQueue();
  const isLost = useConnection() === 'lost';
  return (
    <p className="text-ink-soft">
      {isLost
        ? say('The server does not answer. What waits and runs is not known.')
        : queue === undefined
          ? ' '
          : queue.waiting + queue.running === 0
            ? say('Nothing is waiting or running.')
            : queue.waiting === 0
              ? say('0 waiting, {running} running.', { running: numberText(queue.running) })
              : say('{waiting} waiting, {running} running. The longest has waited {time}.', {
                  waiting: numberText(queue.waiting),
                  running: numberText(queue.running),
                  time: duration(queue.wait_ms),
                })}
    </p>
  );
}
