import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { say } from '../../../words/say.ts';
import { AddedEngines } from './added-engines.tsx';
import { enginesKey } from './engine-actions.tsx';
import { EngineRow } from './engine-row.tsx';
import { WorkerRow } from './worker-row.tsx';

/** The engines with the servers behind them, and the workers that use them. */
export function EnginesPart() {
  const guise = useGuise();
  const engines = useQuery({ queryKey: enginesKey, queryFn: () => guise.operator.engines() });
  const workers = useQuery({ queryKey: ['workers'], queryFn: () => guise.operator.workers() });
  const isReading = engines.isFetching || workers.isFetching;
  const readAgain = () => {
    void engines.refetch();
    void workers.refetch();
  };
  return (
    <div className="flex max-w-7xl flex-col gap-10">
      <div>
        <Button busy={isReading} icon={<RefreshCw size={16} aria-hidden />} onClick={readAgain}>
          {say('Refresh')}
        </Button>
      </div>
      <section aria-label={say('Engines')}>
        <h2 className="mb-2">{say('Engines')}</h2>
        {engines.error && <Problem error={engines.error} onRetry={readAgain} />}
        <ul className="border-t">
          {engines.data?.engines.map((engine) => (
            <EngineRow key={engine.name} engine={engine} />
          ))}
        </ul>
        {engines.data && (
          <div className="mt-4">
            <AddedEngines list={engines.data} />
          </div>
        )}
      </section>
      <section aria-label={say('Workers')}>
        <h2 className="mb-2">{say('Workers')}</h2>
        {workers.error && <Problem error={workers.error} onRetry={readAgain} />}
        {workers.data?.workers.length === 0 && (
          <p className="text-lost">
            {say('No worker is running, so jobs wait. Start one with “guise worker”.')}
          </p>
        )}
        <ul className="border-t">
          {workers.data?.workers.map((worker) => (
            <WorkerRow key={worker.id} worker={worker} />
          ))}
        </ul>
      </section>
    </div>
  );
}
