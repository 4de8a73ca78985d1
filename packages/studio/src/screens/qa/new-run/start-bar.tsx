import type { NewQaRun } from '@guise/contract/qa-runs.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { creditsText } from '../../../ui/credits-text.ts';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { numberText } from '../../../words/language.ts';
import { say, sayParts } from '../../../words/say.ts';
import { picturesText } from '../qa-words.ts';

interface StartBarProps {
  wanted: NewQaRun | undefined;
  /** What to choose before there is a price. */
  missing: string;
  isStarting: boolean;
  problem: unknown;
  onStart(wanted: NewQaRun): void;
}

/** The price of the run before it starts. */
export function StartBar({ wanted, missing, isStarting, problem, onStart }: StartBarProps) {
  const guise = useGuise();
  const { data, error } = useQuery({
    queryKey: ['qa-price', wanted],
    queryFn: ({ signal }) => guise.qaRuns.price(wanted!, signal),
    enabled: wanted !== undefined,
    placeholderData: keepPreviousData,
  });
  const price = wanted && !error ? data : undefined;
  const isTooMuch = price !== undefined && price.price > price.balance;
  const sentence = problem ?? error;
  return (
    <div className="sticky bottom-0 z-10 flex flex-wrap items-center justify-end gap-x-6 gap-y-2 border-t bg-ground px-6 py-3 max-md:px-4">
      <div aria-live="polite" className="min-w-0 flex-1 basis-56">
        {sentence ? (
          <p className="text-lost">{errorSentence(sentence)}</p>
        ) : (
          price && (
            <p className={isTooMuch ? 'text-lost' : ''}>
              {sayParts(
                isTooMuch
                  ? '{pictures}, {credits} {ofBalance}. Choose fewer photos.'
                  : '{pictures}, {credits} {ofBalance}',
                {
                  pictures: picturesText(price.cells),
                  credits: creditsText(price.price),
                  ofBalance: (
                    <span className={isTooMuch ? '' : 'text-ink-soft'}>
                      {say('of {balance}', { balance: numberText(price.balance) })}
                    </span>
                  ),
                },
              )}
            </p>
          )
        )}
      </div>
      <Button
        kind="primary"
        className="max-md:w-full"
        disabled={!price || isTooMuch}
        busy={isStarting}
        onClick={() => wanted && onStart(wanted)}
      >
        {wanted ? say('Start the run') : missing}
      </Button>
    </div>
  );
}
