import type { CustomFilterDetail } from '@guise/contract/filter-details.ts';
import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { say } from '../../../words/say.ts';
import { plainLink } from '../primary-link.ts';

/** The slots that point to the filter, or fall back to it, and the events that offer it. */
export function UsesPanel({ detail }: { detail: CustomFilterDetail }) {
  const { aliases, events } = detail;
  if (aliases.length + events.length === 0)
    return (
      <EmptyState
        title={say('No slot or event uses this filter')}
        text={say('A slot keeps its id while you change the filter in it. Events offer filters to guests.')}
      >
        <Link to={'/studio/aliases' as string} className={plainLink}>
          {say('Go to slots')}
        </Link>
      </EmptyState>
    );
  return (
    <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
      {aliases.length > 0 && (
        <section aria-label={say('Slots')}>
          <h2 className="mb-1 font-medium">{say('Slots')}</h2>
          <ul>
            {aliases.map(({ id, project }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-3 border-b py-2.5">
                <div className="min-w-0">
                  <p>{project || say('No project')}</p>
                  <p className="text-small text-ink-soft">
                    {say('Runs version {version}', { version: detail.version })}
                  </p>
                  <code className="block text-small break-all text-ink-soft">{id}</code>
                </div>
                <CopyButton text={id} label={say('Copy the id')} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {events.length > 0 && (
        <section aria-label={say('Events')}>
          <h2 className="mb-1 font-medium">{say('Events')}</h2>
          <ul>
            {events.map(({ id, name, open }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-3 border-b py-2.5">
                <div className="min-w-0">
                  <Link to="/studio/events/$id" params={{ id }} className="hover:underline">
                    {name}
                  </Link>
                  <p className="text-small text-ink-soft">
                    {say('Runs version {version}', { version: detail.version })}
                  </p>
                </div>
                <span className="text-small text-ink-soft">
                  {open ? say('Open now') : say('Not open now')}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
