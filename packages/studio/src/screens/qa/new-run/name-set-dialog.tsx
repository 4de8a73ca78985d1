import { type FormEvent, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { say } from '../../../words/say.ts';

interface NameSetDialogProps {
  title: string;
  text?: string | undefined;
  action: string;
  name?: string;
  onName(name: string): Promise<unknown>;
  onClose(): void;
}

/** Asks for the name of a photo set. */
export function NameSetDialog({ title, text, action, name = '', onName, onClose }: NameSetDialogProps) {
  const [value, setValue] = useState(name);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!value.trim()) return setProblem(say('Give the set a name.'));
    setBusy(true);
    try {
      await onName(value.trim());
      onClose();
    } catch (error) {
      setProblem(errorSentence(error));
      setBusy(false);
    }
  };
  return (
    <Dialog open title={title} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {text && <p className="text-ink-soft">{text}</p>}
        <TextField
          label={say('Name')}
          value={value}
          maxLength={120}
          autoFocus
          error={problem}
          placeholder={say('Guests of the summer tour')}
          onChange={(event) => setValue(event.target.value)}
        />
        <Button type="submit" kind="primary" busy={busy} className="self-end">
          {action}
        </Button>
      </form>
    </Dialog>
  );
}
