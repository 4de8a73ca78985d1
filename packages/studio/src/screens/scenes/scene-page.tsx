import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useGuise } from '../../app/guise-context.ts';
import { Problem } from '../../ui/problem.tsx';
import { say } from '../../words/say.ts';
import { SceneForm } from './scene-form.tsx';

export const Route = createLazyRoute('/shell/studio/scenes/$id')({ component: ScenePage });

/** A scene of the account, to be changed. */
function ScenePage() {
  const { id } = Route.useParams();
  const guise = useGuise();
  const { data, error, refetch } = useQuery({
    queryKey: ['scenes', 'detail', id],
    queryFn: ({ signal }) => guise.scenes.get(id, signal),
    // What is being edited is not replaced under the hand.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error)
    return (
      <div className="p-6">
        <Problem error={error} onRetry={() => void refetch()} />
      </div>
    );
  if (!data) return <p className="p-6 text-ink-soft">{say('Reading the scene…')}</p>;
  return <SceneForm key={data.etag} scene={data.value} etag={data.etag} />;
}
