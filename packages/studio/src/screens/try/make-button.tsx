import { useQuery } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { useSession } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../jobs/job-words.ts';
import { creditsOf, type NamedRun } from './run-choice.ts';

interface MakeButtonProps {
  /** What would be made, or what is still missing. */
  planned: NamedRun[] | string;
  isBusy: boolean;
  onClick(): void;
}

/** Starts the runs, with their price before the charge and what the account has. */
export function MakeButton({ planned, isBusy, onClick }: MakeButtonProps) {
  const { balance } = useSession().me;
  const prices = usePrices();
  const plans = typeof planned === 'string' ? undefined : planned;
  const credits = plans && creditsOf(plans, prices);
  const isTooMuch = credits !== undefined && credits > balance;
  const price = credits ? `, ${credits} credits` : '';
  const what = plans && plans.length > 1 ? `Make ${plans.length} pictures` : 'Make it';
  return (
    <div className="flex flex-col gap-1.5">
      <Button
        kind="primary"
        className="w-full"
        disabled={!plans || isTooMuch}
        busy={isBusy}
        onClick={onClick}
      >
        {isBusy ? 'Making…' : plans ? `${what}${price}` : String(planned)}
      </Button>
      <p className={`text-center text-small ${isTooMuch ? 'text-lost' : 'text-ink-soft'}`}>
        {isTooMuch
          ? `Not enough credits: you have ${balance.toLocaleString('en')}.`
          : `You have ${countOf(balance, 'credit')}.`}
      </p>
    </div>
  );
}

function usePrices() {
  const guise = useGuise();
  const { data } = useQuery({
    queryKey: ['prices'],
    queryFn: () => guise.catalogs.prices(),
    staleTime: Infinity,
  });
  return data?.prices ?? {};
}
