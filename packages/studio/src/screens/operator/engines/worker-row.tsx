import type { WorkerList } from '@guise/contract/operator/operator.ts';
import { fullTime, shortTime } from '../../../ui/format-time.ts';
import { say, sayParts } from '../../../words/say.ts';

/** A worker: how much of it is busy, and with which engines. */
export function WorkerRow({ worker }: { worker: WorkerList['workers'][number] }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 border-b py-3.5">
      <p className="min-w-0 truncate font-medium">
        {worker.host}{' '}
        <span className="font-normal text-ink-soft">{say('process {pid}', { pid: worker.pid })}</span>
      </p>
      <p className="text-right">
        {say('{number} of {total}', { number: worker.running, total: worker.concurrency })}{' '}
        <span className="text-ink-soft">{say('busy')}</span>
      </p>
      <p className="col-span-2 text-small text-ink-soft">
        {worker.draining && <span className="text-lost">{say('Takes no more jobs and stops.')} </span>}
        {sayParts('Since {start}, seen {seen}, with {engines}', {
          start: shortTime(worker.started_at),
          seen: <span title={fullTime(worker.last_seen)}>{shortTime(worker.last_seen)}</span>,
          engines: worker.engines.map(({ name }) => name).join(', '),
        })}
      </p>
    </li>
  );
}
