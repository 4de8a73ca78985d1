import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../shared/texts/texts.ts';
import { GuestButton } from './guest-button.tsx';

interface ConfirmEraseProps {
  question: string;
  action: string;
  /** Rejects when it was not done. */
  erase(): Promise<void>;
  onClose(): void;
}

/** Asks once more: what is erased cannot be brought back. */
export function ConfirmErase({ question, action, erase, onClose }: ConfirmEraseProps) {
  const texts = useTexts().guest;
  const dialog = useRef<HTMLDialogElement>(null);
  const [state, setState] = useState<'asking' | 'erasing' | 'failed'>('asking');
  useEffect(() => dialog.current?.showModal(), []);
  const eraseNow = async () => {
    setState('erasing');
    try {
      await erase();
      onClose();
    } catch {
      setState('failed');
    }
  };
  return (
    <dialog
      ref={dialog}
      onClose={onClose}
      aria-labelledby="erase-question"
      className="m-auto w-[min(26rem,calc(100vw-2rem))] rounded-card border bg-ground p-6 text-ink shadow-float backdrop:bg-black/60"
    >
      <h2 id="erase-question">{question}</h2>
      <p className="mt-2 text-small text-ink-soft">{texts.confirmHint}</p>
      <p role="alert" className="mt-3 text-small text-danger empty:hidden">
        {state === 'failed' && texts.notLoaded}
      </p>
      <div className="mt-5 flex flex-col gap-2">
        <GuestButton kind="erase" busy={state === 'erasing'} onClick={eraseNow}>
          {action}
        </GuestButton>
        <GuestButton autoFocus disabled={state === 'erasing'} onClick={() => dialog.current?.close()}>
          {texts.keep}
        </GuestButton>
      </div>
    </dialog>
  );
}
