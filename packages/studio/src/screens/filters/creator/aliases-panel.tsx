import type { CustomFilterDetail } from '@guise/contract/filter-details.ts';
import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { plainLink } from '../primary-link.ts';

/** The aliases that point to the filter, or fall back to it. */
export function AliasesPanel({ detail }: { detail: CustomFilterDetail }) {
  if (detail.aliases.length === 0)
    return (
      <EmptyState
        title="No alias uses this filter"
        text="An alias is a slot of a booth: it keeps its id while you change the filter in it."
      >
        <Link to={'/studio/aliases' as string} className={plainLink}>
          Go to aliases
        </Link>
      </EmptyState>
    );
  return (
    <ul className="max-w-2xl">
      {detail.aliases.map(({ id, project }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-3 border-b py-2.5">
          <div className="min-w-0">
            <p>{project || 'No project'}</p>
            <code className="block text-small break-all text-ink-soft">{id}</code>
          </div>
          <CopyButton text={id} label="Copy the id" />
        </li>
      ))}
    </ul>
  );
}
