import { useState } from 'react';
import { SelectField } from '../../../../ui/select-field.tsx';
import { TextArea } from '../../../../ui/text-field.tsx';
import { say } from '../../../../words/say.ts';
import type { OfferFields } from '../event-fields.ts';
import { DescribedOffer } from './described-offer.tsx';

type Prompt = Pick<OfferFields, 'prompt' | 'catalog'>;

const people = [
  { value: 'face_swap', label: say('One person') },
  { value: 'realistic', label: say('Everybody in the photo') },
  { value: 'stylized', label: say('Everybody, painted') },
];

/** A picture that is described in words, in which what guests give may stand. */
export function PromptOfferForm({ onAdd }: { onAdd(name: string, prompt: Prompt): void }) {
  const [prompt, setPrompt] = useState<Prompt>({ prompt: '', catalog: 'face_swap' });
  return (
    <DescribedOffer
      action={say('Add the prompt')}
      isComplete={prompt.prompt.trim() !== ''}
      onAdd={(name) => {
        onAdd(name, prompt);
        setPrompt({ ...prompt, prompt: '' });
      }}
    >
      <TextArea
        label={say('Describe the picture')}
        placeholder={say('As a fan of {team} in a stadium at night', { team: '{guest.team}' })}
        maxLength={2000}
        value={prompt.prompt}
        onChange={({ target }) => setPrompt({ ...prompt, prompt: target.value })}
      />
      <p className="text-small text-ink-soft">
        {say('{team} stands for what the guest gave as “team”: see “What guests give” in the form.', {
          team: '{guest.team}',
        })}
      </p>
      <div className="max-w-xs">
        <SelectField
          label={say('Who is in it')}
          options={people}
          value={prompt.catalog}
          onChange={({ target }) => setPrompt({ ...prompt, catalog: target.value as Prompt['catalog'] })}
        />
      </div>
    </DescribedOffer>
  );
}
