import type { BoothPicture } from '@guise/contract/events/event-guests.ts';
import { useState } from 'react';
import { useTexts } from '../../shared/texts/texts.ts';

interface ChooseStepProps {
  pictures: readonly BoothPicture[];
  /** Resolves when the others are deleted. */
  onChoose(id: string): Promise<void>;
}

/** Several pictures of one photo: the guest keeps one. */
export function ChooseStep({ pictures, onChoose }: ChooseStepProps) {
  const { result, tryAgain } = useTexts().booth;
  const [chosen, setChosen] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  const choose = (id: string) => {
    setChosen(id);
    setFailed(false);
    onChoose(id).catch(() => {
      setChosen(undefined);
      setFailed(true);
    });
  };
  return (
    <main className="flex h-dvh flex-col gap-[2vmin] p-[3vmin]">
      <h1 className="text-center text-balance">{result.choose}</h1>
      <p role={hasFailed ? 'alert' : undefined} className="text-center text-small text-ink-soft">
        {hasFailed ? tryAgain : result.chooseHint}
      </p>
      <ul
        className={`grid min-h-0 flex-1 grid-cols-2 gap-[2vmin] ${pictures.length > 2 ? 'grid-rows-2' : 'landscape:grid-rows-1'} ${pictures.length === 3 ? 'landscape:grid-cols-3 landscape:grid-rows-1' : ''} ${pictures.length > 3 ? 'landscape:grid-cols-4 landscape:grid-rows-1' : ''}`}
      >
        {pictures.map(({ id, url }, at) => (
          <li key={id} className="min-h-0 min-w-0">
            <button
              type="button"
              aria-label={result.choice(at + 1)}
              disabled={chosen !== undefined}
              onClick={() => choose(id)}
              className={`grid size-full place-items-center active:scale-[0.98] ${chosen !== undefined && chosen !== id ? 'opacity-30' : ''}`}
            >
              {url && <img src={url} alt="" className="max-h-full min-h-0 max-w-full rounded-card" />}
            </button>
          </li>
        ))}
      </ul>
    </main>
  );
}
