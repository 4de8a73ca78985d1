import { createLazyRoute, Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Problem } from '../../ui/problem.tsx';
import { say } from '../../words/say.ts';
import { AliasProject } from './alias-project.tsx';
import { FilterShelf } from './filter-shelf.tsx';
import { NewAliasDialog } from './new-alias-dialog.tsx';
import { PutFilterQuestions } from './put-filter.tsx';
import { groupByProject, useAliases } from './use-aliases.ts';
import { useOwnFilters } from './use-own-filters.ts';

export const Route = createLazyRoute('/shell/studio/aliases')({ component: AliasesScreen });

/** The slots that booths have the ids of, with what is in them, and the filters to put in. */
function AliasesScreen() {
  const { aliases, error, retry } = useAliases();
  const { filters } = useOwnFilters();
  const [newIn, setNewIn] = useState<string>();
  const hasFilters = filters === undefined || filters.length > 0;
  const makeOne = (
    <Button kind="primary" icon={<Plus size={17} aria-hidden />} onClick={() => setNewIn('')}>
      {say('Make an alias')}
    </Button>
  );
  return (
    <div className="flex h-full min-h-0">
      <div className="min-w-0 flex-1 overflow-y-auto">
        <PageHeader
          title={say('Aliases')}
          text={say('Booths call a slot’s id. Choose here which filter it runs, even mid-event.')}
        >
          {aliases && aliases.length > 0 && makeOne}
        </PageHeader>
        <div className="flex flex-col gap-10 px-6 pb-16 max-md:px-4">
          {error && <Problem error={error} onRetry={retry} />}
          <PutFilterQuestions>
            {aliases &&
              groupByProject(aliases).map((project) => (
                <AliasProject key={project.name} project={project} onAdd={() => setNewIn(project.name)} />
              ))}
          </PutFilterQuestions>
          {aliases?.length === 0 &&
            (hasFilters ? (
              <EmptyState
                title={say('No slot yet')}
                text={say(
                  'Make an alias, give its id to the booth, and swap the filter behind it whenever you want.',
                )}
              >
                {makeOne}
              </EmptyState>
            ) : (
              <EmptyState
                title={say('Make a filter first')}
                text={say('An alias points to a filter of your own, and you have none yet.')}
              >
                <Link to="/studio/filters/new" className="text-accent-ink underline">
                  {say('Make a filter')}
                </Link>
              </EmptyState>
            ))}
        </div>
      </div>
      {aliases && aliases.length > 0 && <FilterShelf />}
      {newIn !== undefined && <NewAliasDialog project={newIn} onClose={() => setNewIn(undefined)} />}
    </div>
  );
}
