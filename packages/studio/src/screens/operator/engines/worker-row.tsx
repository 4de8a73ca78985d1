import type { WorkerList } from '@guise/contract/operator/operator.ts';
import { fullTime, shortTime } from '../../../ui/format-time.ts';

/** A worker: how much of it is busy, and with which engines. */
export function WorkerRow({ worker }: { worker: WorkerList['workers'][number] }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 border-b py-3.5">
      <p className="min-w-0 truncate font-medium">
        {worker.host} <span className="font-normal text-ink-soft">process {worker.pid}</span>
      </p>
      <p className="text-right">
        {worker.running} of {worker.concurrency} <span className="text-ink-soft">busy</span>
      </p>
      <p className="col-span-2 text-small text-ink-soft">
        {worker.draining && <span className="text-lost">Takes no more jobs and stops. </span>}
        Since {shortTime(worker.started_at)}, seen{' '}
        <span title={fullTime(worker.last_seen)}>{shortTime(worker.last_seen)}</span>, with{' '}
        {worker.engines.map(({ name }) => name).join(', ')}
      </p>
    </li>
  );
}
