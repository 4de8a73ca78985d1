import { BigButton } from '../../shared/big-button.tsx';
import { useTexts } from '../../shared/texts/texts.ts';

/** Asked before a guest who walked away is forgotten. A touch anywhere is the answer. */
export function StillThere({ seconds }: { seconds: number }) {
  const { idle } = useTexts().booth;
  return (
    <div
      role="alertdialog"
      aria-modal="true"
      aria-labelledby="still-there"
      className="fixed inset-0 z-30 flex flex-col items-center justify-center gap-6 bg-ground p-6 text-center"
    >
      <h1 id="still-there">{idle.title}</h1>
      <p className="max-w-[36ch] text-ink-soft">{idle.hint(seconds)}</p>
      <BigButton kind="primary" autoFocus>
        {idle.stay}
      </BigButton>
    </div>
  );
}
