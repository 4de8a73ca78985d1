import { useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { SelectField } from '../../../../ui/select-field.tsx';
import { TextArea, TextField } from '../../../../ui/text-field.tsx';
import type { OfferFields } from '../event-fields.ts';

type Prompt = Pick<OfferFields, 'prompt' | 'catalog'>;

const people = [
  { value: 'face_swap', label: 'One person' },
  { value: 'realistic', label: 'Everybody in the photo' },
  { value: 'stylized', label: 'Everybody, painted' },
];

/** A picture that is described in words, in which what guests give may stand. */
export function PromptOfferForm({ onAdd }: { onAdd(name: string, prompt: Prompt): void }) {
  const [name, setName] = useState('');
  const [prompt, setPrompt] = useState<Prompt>({ prompt: '', catalog: 'face_swap' });
  const isComplete = name.trim() !== '' && prompt.prompt.trim() !== '';
  return (
    <div className="flex max-w-xl flex-col gap-4">
      <TextField
        label="Label"
        value={name}
        maxLength={120}
        onChange={({ target }) => setName(target.value)}
      />
      <TextArea
        label="Describe the picture"
        placeholder="As a fan of {guest.team} in a stadium at night"
        maxLength={2000}
        value={prompt.prompt}
        onChange={({ target }) => setPrompt({ ...prompt, prompt: target.value })}
      />
      <p className="text-small text-ink-soft">
        {'{guest.team} stands for what the guest gave as “team”: see “What guests give” in the form.'}
      </p>
      <div className="max-w-xs">
        <SelectField
          label="Who is in it"
          options={people}
          value={prompt.catalog}
          onChange={({ target }) => setPrompt({ ...prompt, catalog: target.value as Prompt['catalog'] })}
        />
      </div>
      <Button
        className="self-start"
        disabled={!isComplete}
        onClick={() => {
          onAdd(name.trim(), prompt);
          setName('');
          setPrompt({ ...prompt, prompt: '' });
        }}
      >
        Add the prompt
      </Button>
    </div>
  );
}
