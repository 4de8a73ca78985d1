import { useQuery } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { useSession } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { creditsText } from '../../ui/credits-text.ts';
import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';
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
  const what =
    plans && plans.length > 1 ? say('Make {count} pictures', { count: plans.length }) : say('Make it');
  const offer = credits ? `${what}, ${creditsText(credits)}` : what;
  return (
    <div className="flex flex-col gap-1.5">
      <Button
        kind="primary"
        className="w-full"
        disabled={!plans || isTooMuch}
        busy={isBusy}
        onClick={onClick}
      >
        {isBusy ? say('Making…') : plans ? offer : String(planned)}
      </Button>
      <p className={`text-center text-small ${isTooMuch ? 'text-lost' : 'text-ink-soft'}`}>
        {isTooMuch
          ? say('Not enough credits: you have {count}.', { count: numberText(balance) })
          : balance === 1
            ? say('You have 1 credit.')
            : say('You have {count} credits.', { count: numberText(balance) })}
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
