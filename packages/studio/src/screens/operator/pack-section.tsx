import type { PackInfo } from '@guise/contract/operator/operator.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';

const queryKey = ['packs'];

/** Packs that are installed on the server's machine. */
export function PackSection() {
  const guise = useGuise();
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => guise.operator.packs() });
  return (
    <section aria-label={say('Packs')}>
      <h2 className="mb-2">{say('Packs')}</h2>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data?.packs.length === 0 && (
        <p className="text-ink-soft">
          {say(
            'None. A pack brings scenes, costumes and filters: “guise filters import FOLDER” on the server installs one.',
          )}
        </p>
      )}
      {data && data.packs.length > 0 && (
        <ul className="border-t">
          {data.packs.map((pack) => (
            <PackRow key={pack.name} pack={pack} />
          ))}
        </ul>
      )}
    </section>
  );
}

function PackRow({ pack }: { pack: PackInfo }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { tell } = useToast();
  const remove = async () => {
    await guise.operator.removePack(pack.name);
    await queries.invalidateQueries({ queryKey });
    tell(say('“{name}” is removed. Restart the server to drop it from the catalog.', { name: pack.name }));
  };
  const replaces = pack.filters.filter((filter) => filter.replaces).length;
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b py-3.5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">{pack.name}</p>
        <p className="text-small text-ink-soft">
          {contentsOf(pack)}
          {replaces > 0 && `; ${replacesWords(replaces)}`}
        </p>
        <p className="line-clamp-2 text-small text-ink-soft">
          {pack.filters.map(({ name }) => name).join(', ')}
        </p>
      </div>
      <Confirm
        trigger={<Button>{say('Remove')}</Button>}
        title={say('Remove “{name}”?', { name: pack.name })}
        text={say(
          'Its files are deleted from the server. Its scenes, costumes and filters are gone after a restart, and jobs that name them fail then.',
        )}
        action={say('Remove')}
        onConfirm={remove}
      />
    </li>
  );
}

function contentsOf({ filters, scenes, costumes }: PackInfo): string {
  return [
    filters.length === 1 ? say('1 filter') : say('{count} filters', { count: filters.length }),
    scenes.length === 1 ? say('1 scene') : say('{count} scenes', { count: scenes.length }),
    costumes.length === 1 ? say('1 costume') : say('{count} costumes', { count: costumes.length }),
  ].join(', ');
}

const replacesWords = (count: number) =>
  count === 1
    ? say('replaces 1 filter of the catalog')
    : say('replaces {count} filters of the catalog', { count });
