import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { PageHeader } from '../../ui/page-header.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { say } from '../../words/say.ts';
import { JobWall } from './job-wall.tsx';
import type { JobFilters } from './jobs-search.ts';
import { QueueLine } from './queue-line.tsx';

export const Route = createLazyRoute('/studio/jobs')({ component: JobsScreen });
const route = getRouteApi('/shell/studio/jobs');

const views = [
  { value: 'gallery', label: say('Gallery') },
  { value: 'list', label: say('List') },
] as const;

function JobsScreen() {
  const { view, ...narrowed } = route.useSearch();
  const navigate = route.useNavigate();
  const content = JSON.stringify(narrowed);
  const filters = useMemo(() => JSON.parse(content) as JobFilters, [content]);
  return (
    <>
      <PageHeader title={say('Jobs')}>
        <Segmented
          label={say('View')}
          value={view ?? 'gallery'}
          options={views}
          onChange={(chosen) =>
            navigate({
              search: (old) => ({ ...old, view: chosen === 'list' ? 'list' : undefined }),
              replace: true,
            })
          }
        />
      </PageHeader>
      <div className="px-6 max-md:px-4">
        <QueueLine />
      </div>
      <JobWall
        // Another list: nothing of the old one is selected or held back.
        key={content}
        filters={filters}
        view={view ?? 'gallery'}
        onNarrow={(change) => navigate({ search: (old) => ({ ...old, ...change }), replace: true })}
      />
    </>
  );
}
