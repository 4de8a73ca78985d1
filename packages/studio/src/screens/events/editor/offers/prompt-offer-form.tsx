import { useState } from 'react';
import { SelectField } from '../../../../ui/select-field.tsx';
import { TextArea } from '../../../../ui/text-field.tsx';
import type { OfferFields } from '../event-fields.ts';
import { DescribedOffer } from './described-offer.tsx';

type Prompt = Pick<OfferFields, 'prompt' | 'catalog'>;

const people = [
  { value: 'face_swap', label: 'One person' },
  { value: 'realistic', label: 'Everybody in the photo' },
  { value: 'stylized', label: 'Everybody, painted' },
];

/** A picture that is described in words, in which what guests give may stand. */
export function PromptOfferForm({ onAdd }: { onAdd(name: string, prompt: Prompt): void }) {
  const [prompt, setPrompt] = useState<Prompt>({ prompt: '', catalog: 'face_swap' });
  return (
    <DescribedOffer
      action="Add the prompt"
      isComplete={prompt.prompt.trim() !== ''}
      onAdd={(name) => {
        onAdd(name, prompt);
        setPrompt({ ...prompt, prompt: '' });
      }}
    >
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
    </DescribedOffer>
  );
}
