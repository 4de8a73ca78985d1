import type { PackInfo } from '@guise/contract/operator/operator.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useToast } from '../../ui/toasts.tsx';

const queryKey = ['packs'];

/** Packs that are installed on the server's machine. */
export function PackSection() {
  const guise = useGuise();
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => guise.operator.packs() });
  return (
    <section aria-label="Packs">
      <h2 className="mb-2">Packs</h2>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data?.packs.length === 0 && (
        <p className="text-ink-soft">
          None. A pack brings scenes, costumes and filters: “guise filters import FOLDER” on the server
          installs one.
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
    tell(`“${pack.name}” is removed. Restart the server to drop it from the catalog.`);
  };
  const replaces = pack.filters.filter((filter) => filter.replaces).length;
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b py-3.5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">{pack.name}</p>
        <p className="text-small text-ink-soft">
          {[
            counted(pack.filters.length, 'filter'),
            counted(pack.scenes.length, 'scene'),
            counted(pack.costumes.length, 'costume'),
          ].join(', ')}
          {replaces > 0 && `; replaces ${counted(replaces, 'filter')} of the catalog`}
        </p>
        <p className="line-clamp-2 text-small text-ink-soft">
          {pack.filters.map(({ name }) => name).join(', ')}
        </p>
      </div>
      <Confirm
        trigger={<Button>Remove</Button>}
        title={`Remove “${pack.name}”?`}
        text="Its files are deleted from the server. Its scenes, costumes and filters are gone after a restart, and jobs that name them fail then."
        action="Remove"
        onConfirm={remove}
      />
    </li>
  );
}

const counted = (count: number, word: string) => (count === 1 ? `1 ${word}` : `${count} ${word}s`);
