import type { CustomFilterDetail } from '@guise/contract/filter-details.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BadgeCheck } from 'lucide-react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { shortTime } from '../../../ui/format-time.ts';
import { useToast } from '../../../ui/toasts.tsx';
import { say } from '../../../words/say.ts';
import { plainLink } from '../../filters/primary-link.ts';
import { judgedText, percent } from '../qa-words.ts';
import type { VerdictCount } from './qa-cells.ts';

interface VersionSummaryProps {
  count: VerdictCount;
  /** The filter as it is now; undefined while it is read, null when it was deleted. */
  filter: CustomFilterDetail | null | undefined;
}

/** The pass rate of a version, and whether a person has said that it may go live. */
export function VersionSummary({ count, filter }: VersionSummaryProps) {
  const { version, good, bad, rate } = count;
  return (
    <section aria-label={say('Version {version}', { version })} className="min-w-0">
      <h2 className="text-small font-medium text-ink-soft">{say('Version {version}', { version })}</h2>
      <p className="mt-1 flex items-baseline gap-2">
        <span className="text-title font-semibold">{rate === null ? '–' : percent(rate)}</span>
        <span>{say('good')}</span>
      </p>
      <PassBar count={count} />
      <p className="text-small text-ink-soft">
        {rate === null
          ? judgedText(count)
          : `${say('{good} good, {bad} bad.', { good, bad })} ${judgedText(count)}`}
      </p>
      <div className="mt-3">
        <Ready count={count} filter={filter} />
      </div>
    </section>
  );
}

function PassBar({ count: { cells, good, bad } }: { count: VerdictCount }) {
  return (
    <div aria-hidden className="my-2 flex h-1 overflow-hidden rounded-full bg-line">
      <span className="bg-good transition-[width]" style={{ width: `${(good / cells) * 100}%` }} />
      <span className="bg-lost transition-[width]" style={{ width: `${(bad / cells) * 100}%` }} />
    </div>
  );
}

function Ready({ count, filter }: VersionSummaryProps) {
  const guise = useGuise();
  const queries = useQueryClient();
  const toast = useToast();
  const { version } = count;
  const mark = useMutation({
    mutationFn: (ready: boolean) => guise.customFilters.setReady(filter!.id, { version, ready }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['filters'] }),
    onSuccess: ({ ready }) =>
      toast.tell(
        ready
          ? say('Version {version} is ready.', { version })
          : say('Version {version} is no longer ready.', { version }),
        {
          label: say('Undo'),
          onClick: () => mark.mutate(!ready),
        },
      ),
    onError: (error) => toast.fail(errorSentence(error)),
  });
  if (filter === undefined) return <div className="min-h-10" />;
  if (filter === null) return <Sentence>{say('The filter was deleted.')}</Sentence>;
  if (filter.draft?.version === version)
    return (
      <Link to="/studio/filters/$id" params={{ id: filter.id }} className={plainLink}>
        {say('Make the draft live…')}
      </Link>
    );
  if (filter.version !== version) return <Sentence>{say('Only the live version can be ready.')}</Sentence>;
  if (filter.ready) {
    const person = filter.ready_by ?? '';
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="flex min-w-0 items-center gap-1.5 text-small">
          <BadgeCheck size={17} className="shrink-0 text-good" aria-hidden />
          <span className="min-w-0 break-words">
            {filter.ready_at
              ? say('Ready, says {person}, {time}', { person, time: shortTime(filter.ready_at) })
              : say('Ready, says {person}', { person })}
          </span>
        </p>
        <Button kind="quiet" busy={mark.isPending} onClick={() => mark.mutate(false)}>
          {say('Take it back')}
        </Button>
      </div>
    );
  }
  const isJudged = count.good + count.bad === count.cells;
  return (
    <Button
      kind={isJudged ? 'primary' : 'plain'}
      className="max-w-full text-left max-md:whitespace-normal"
      busy={mark.isPending}
      onClick={() => mark.mutate(true)}
    >
      {say('Mark version {version} as ready', { version })}
    </Button>
  );
}

const Sentence = ({ children }: { children: React.ReactNode }) => (
  <p className="text-small text-ink-soft">{children}</p>
);
