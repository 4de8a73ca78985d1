import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactElement, type ReactNode, useState } from 'react';
import { say } from '../words/say.ts';
import { Button } from './button.tsx';
import { errorSentence } from './error-sentence.ts';

interface ConfirmProps {
  /** The button that asks; none where `open` says when to ask. */
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?(open: boolean): void;
  title: string;
  /** What will be lost. */
  text: ReactNode;
  /** The verb on the button. */
  action: string;
  /** The words on the other button. */
  dismiss?: string;
  /** False where nothing is lost by it. */
  loses?: boolean;
  onConfirm(): Promise<unknown>;
}

/** Asks once before something is lost. */
export function Confirm({
  trigger,
  title,
  text,
  action,
  dismiss = say('Keep'),
  loses = true,
  onConfirm,
  ...props
}: ConfirmProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const setOpen = (open: boolean) => {
    setProblem(undefined);
    setIsOpen(open);
    props.onOpenChange?.(open);
  };
  const confirm = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await onConfirm();
      setOpen(false);
    } catch (error) {
      setProblem(errorSentence(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <AlertDialog.Root open={props.open ?? isOpen} onOpenChange={setOpen}>
      {trigger && <AlertDialog.Trigger render={trigger} />}
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-black/60" />
        <AlertDialog.Popup className="fixed top-1/2 left-1/2 z-50 w-[calc(100%-2rem)] max-w-sm -translate-x-1/2 -translate-y-1/2 rounded-card bg-raised p-5 shadow-float outline-none">
          <AlertDialog.Title className="mb-2 font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="mb-5 text-ink-soft">
            {text}
          </AlertDialog.Description>
          {problem && (
            <p role="alert" className="mb-4 text-lost">
              {problem}
            </p>
          )}
          <div className="flex justify-end gap-2">
            <AlertDialog.Close render={<Button kind="quiet" />}>{dismiss}</AlertDialog.Close>
            <Button kind={loses ? 'danger' : 'primary'} busy={busy} onClick={confirm}>
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
