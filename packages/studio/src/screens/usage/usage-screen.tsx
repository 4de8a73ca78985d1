import { useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useChange } from '../../app/changes.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Problem } from '../../ui/problem.tsx';
import { say } from '../../words/say.ts';
import { CsvButton } from './csv-button.tsx';
import { Ledger } from './ledger.tsx';
import { UsageRange } from './usage-range.tsx';
import { daysOf } from './usage-search.ts';

import { UsageTables } from './usage-tables.tsx';
import { UsageTotals } from './usage-totals.tsx';
import { useUsage } from './use-usage.ts';

export const Route = createLazyRoute('/studio/usage')({ component: UsageScreen });
const route = getRouteApi('/shell/studio/usage');
const UsageChart = lazy(() => import('./usage-chart.tsx').then((m) => ({ default: m.UsageChart })));

function UsageScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const range = daysOf(search, Date.now());
  const byDay = useUsage('day', range);
  useLiveUsage();
  return (
    <>
      <PageHeader title={say('Usage')}>
        <UsageRange search={search} onChange={(chosen) => navigate({ search: chosen, replace: true })} />
        <CsvButton range={range} />
      </PageHeader>
      <div className="grid grid-cols-1 gap-10 px-6 pb-12 max-md:px-4">
        {byDay.error && <Problem error={byDay.error} onRetry={() => void byDay.refetch()} />}
        <div>
          <UsageTotals usage={byDay.data} />
          <Suspense fallback={<div className="h-[23rem]" />}>
            <UsageChart rows={byDay.data?.rows ?? []} range={range} />
          </Suspense>
        </div>
        <UsageTables range={range} />
        <Ledger />
      </div>
    </>
  );
}

const settleMs = 3000;

/** Reads the numbers again when the balance has changed, once for all changes of a few seconds. */
function useLiveUsage(): void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useChange('balance', () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queries.invalidateQueries({ queryKey: ['usage'] });
      // Further lines that somebody has asked for at this moment come all the same.
      void queries.invalidateQueries({ queryKey: ['ledger'] }, { cancelRefetch: false });
    }, settleMs);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}
