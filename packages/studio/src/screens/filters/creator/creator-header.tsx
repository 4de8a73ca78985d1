import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { say } from '../../../words/say.ts';

/** The name of the filter, the way back, and what can be done with it. */
export function CreatorHeader(props: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-6 pt-5 pb-4 max-md:px-4 max-md:pt-4">
      <div className="flex min-w-0 items-start gap-2">
        <Link
          to="/studio/filters"
          aria-label={say('All filters')}
          title={say('All filters')}
          className="-ml-2 grid size-9 shrink-0 place-items-center rounded-card text-ink-soft hover:bg-panel hover:text-ink"
        >
          <ArrowLeft size={19} aria-hidden />
        </Link>
        <div className="min-w-0 pt-1">
          <h1 className="break-words">{props.title}</h1>
          {props.note}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">{props.children}</div>
    </header>
  );
}
