import type { ModelInfo } from '@guise/contract/operator/operator.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { Problem } from '../../ui/problem.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';
import { RestartNotice } from './restart-notice.tsx';

const queryKey = ['models'];
const readAgainMs = 1000;

/** The models of the local engine with their licences, and those that can be fetched. */
export function ModelSection() {
  const guise = useGuise();
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => guise.operator.models(),
    refetchInterval: ({ state }) => (state.data?.models.some((one) => one.fetching) ? readAgainMs : false),
  });
  const settings = useQuery({ queryKey: ['settings'], queryFn: () => guise.operator.settings() });
  const waiting = data?.models.filter((one) => one.needs_restart) ?? [];
  return (
    <section aria-label={say('Models')}>
      <h2 className="mb-2">{say('Models')}</h2>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {waiting.length > 0 && (
        <div className="mb-3">
          <RestartNotice
            text={say('{names} will be used after a restart of the server.', {
              names: waiting.map(({ name }) => sayOfServer(name)).join(` ${say('and')} `),
            })}
            canRestart={settings.data?.can_restart ?? false}
          />
        </div>
      )}
      <ul className="border-t">
        {byUse(data?.models ?? []).map((model) => (
          <li
            key={`${model.source} ${model.name}`}
            className="grid grid-cols-[minmax(0,5fr)_minmax(0,3fr)_minmax(0,3fr)] items-center gap-x-6 gap-y-1 border-b py-3 max-md:grid-cols-1"
          >
            <p className="min-w-0 font-medium break-words">
              {sayOfServer(model.name)}{' '}
              <span className="block text-small font-normal text-ink-soft">{sayOfServer(model.use)}</span>
            </p>
            <p className="text-small text-ink-soft">{model.licence}</p>
            {model.source === 'available' ? (
              <AvailableModel model={model} />
            ) : (
              <p className="text-small text-ink-soft md:text-right">{sourceOf(model)}</p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What an operator can do something about comes first. */
const byUse = (models: readonly ModelInfo[]) => [
  ...models.filter(({ source }) => source !== 'built in'),
  ...models.filter(({ source }) => source === 'built in'),
];

/** A model that does not come with the installation: what it weighs, and a button that fetches it. */
function AvailableModel({ model }: { model: ModelInfo }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const fetch = useMutation({
    mutationFn: () => guise.operator.fetchModel(model.fetch_name ?? ''),
    onSuccess: (list) => queries.setQueryData(queryKey, list),
  });
  if (model.fetching) {
    const { part, done, total } = model.fetching;
    return total === 0 ? (
      <ProgressBar label={say('Downloading')} share={null} />
    ) : (
      <ProgressBar label={say('Installing {part}', { part: sayOfServer(part) })} share={done / total} />
    );
  }
  return (
    <div className="flex flex-col items-start gap-1 md:items-end">
      <Button
        busy={fetch.isPending}
        icon={<Download size={17} aria-hidden />}
        aria-label={say('Fetch {size}: {name}', { size: sizeOf(model), name: model.name })}
        onClick={() => fetch.mutate()}
      >
        {say('Fetch {size}', { size: sizeOf(model) })}
      </Button>
      {(fetch.error ?? model.last_error) && (
        <p role="alert" className="text-small text-lost md:text-right">
          {fetch.error ? errorSentence(fetch.error) : sayOfServer(model.last_error ?? '')}
        </p>
      )}
    </div>
  );
}

function sourceOf(model: ModelInfo): string {
  const from = say(model.source === 'built in' ? 'Built in' : 'Installed here');
  return model.bytes === null ? from : `${from}, ${sizeOf(model)}`;
}

const sizeOf = ({ bytes }: ModelInfo) => (bytes === null ? '' : `${numberText(bytes / 1e6, 0)} MB`);
