import type { CustomFilter } from '@guise/contract/catalogs.ts';
import { useQuery } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { shortId } from '../../ui/short-id.ts';
import { say } from '../../words/say.ts';
import { useFilterActions } from './use-filter-actions.ts';

interface DeleteFilterProps {
  filter: Pick<CustomFilter, 'id' | 'name'>;
  onClose(): void;
  onDeleted?: () => void;
}

/** Asks before a filter is deleted, and says which aliases would be left with nothing. */
export function DeleteFilter({ filter, onClose, onDeleted }: DeleteFilterProps) {
  const guise = useGuise();
  const { remove } = useFilterActions();
  const { data } = useQuery({
    queryKey: ['filters', 'detail', filter.id],
    queryFn: ({ signal }) => guise.customFilters.get(filter.id, signal),
    staleTime: 0,
  });
  const aliases = data?.value.aliases ?? [];
  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title={say('Delete {name}?', { name: filter.name })}
      text={
        aliases.length === 0 ? (
          <p>{say('Its versions and previews are deleted too. Results of its jobs are kept.')}</p>
        ) : (
          <>
            <p>{say('These aliases use it. They make no pictures until they point to another filter:')}</p>
            <ul className="mt-2 max-h-40 overflow-y-auto text-ink">
              {aliases.map(({ id, project }) => (
                <li key={id} className="flex justify-between gap-3 border-t py-1.5 text-small">
                  <span className="truncate">{project || say('No project')}</span>
                  <code className="shrink-0 text-ink-soft">{shortId(id)}</code>
                </li>
              ))}
            </ul>
          </>
        )
      }
      action={aliases.length === 0 ? say('Delete') : say('Delete anyway')}
      onConfirm={async () => {
        await remove(filter, aliases.length > 0);
        onDeleted?.();
      }}
    />
  );
}
