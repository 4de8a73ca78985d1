import type { ModelInfo } from '@guise/contract/operator.ts';
import { useQuery } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { Problem } from '../../ui/problem.tsx';

/** The models of the local engine, with their licences. */
export function ModelSection() {
  const guise = useGuise();
  const { data, error, refetch } = useQuery({
    queryKey: ['models'],
    queryFn: () => guise.operator.models(),
  });
  return (
    <section aria-label="Models">
      <h2 className="mb-2">Models</h2>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      <ul className="border-t">
        {data?.models.map((model) => (
          <li
            key={`${model.source} ${model.name}`}
            className="grid grid-cols-[minmax(0,5fr)_minmax(0,3fr)_minmax(0,2fr)] gap-x-6 border-b py-3 max-md:grid-cols-1"
          >
            <p className="min-w-0 font-medium break-words">
              {model.name} <span className="block text-small font-normal text-ink-soft">{model.use}</span>
            </p>
            <p className="text-small text-ink-soft">{model.licence}</p>
            <p className="text-small text-ink-soft md:text-right">{sourceOf(model)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function sourceOf({ source, bytes }: ModelInfo): string {
  const from = source === 'built in' ? 'Built in' : 'Installed here';
  return bytes === null ? from : `${from}, ${(bytes / 1e6).toFixed(0)} MB`;
}
