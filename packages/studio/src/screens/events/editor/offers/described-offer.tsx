import { type ReactNode, useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { TextField } from '../../../../ui/text-field.tsx';
import { say } from '../../../../words/say.ts';

interface DescribedOfferProps {
  /** What its button says. */
  action: string;
  /** Whether everything but the label is there. */
  isComplete: boolean;
  onAdd(name: string): void;
  children: ReactNode;
}

/** The form of an offer that is described in words: its label, what it asks for, and a button that adds it. */
export function DescribedOffer({ action, isComplete, onAdd, children }: DescribedOfferProps) {
  const [name, setName] = useState('');
  return (
    <div className="flex max-w-xl flex-col gap-4">
      <TextField
        label={say('Label')}
        value={name}
        maxLength={120}
        onChange={({ target }) => setName(target.value)}
      />
      {children}
      <Button
        className="self-start"
        disabled={name.trim() === '' || !isComplete}
        onClick={() => {
          onAdd(name.trim());
          setName('');
        }}
      >
        {action}
      </Button>
    </div>
  );
}
