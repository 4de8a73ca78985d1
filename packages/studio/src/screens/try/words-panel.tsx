import { Choice } from '../../ui/choice.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { say } from '../../words/say.ts';
import { PromptNotes } from './prompt-notes.tsx';
import { promptFamily, type RunChoice } from './run-choice.ts';

interface WordsPanelProps {
  choice: RunChoice;
  onChange(change: Partial<RunChoice>): void;
}

const examples = [
  'Under the northern lights, in the snow',
  'On the deck of a sailing ship at sunset',
  'In a neon street in the rain, as a comic',
  'As a knight in the great hall',
  'Under the sea with rays of light, watercolour',
];

/** A picture from a description. */
export function WordsPanel({ choice, onChange }: WordsPanelProps) {
  return (
    <div className="flex max-w-xl flex-col gap-4">
      <TextArea
        label={say('Describe the picture')}
        rows={5}
        maxLength={2000}
        value={choice.prompt}
        onChange={(event) => onChange({ prompt: event.target.value })}
        placeholder={say('Where the person is, the light, what they wear, the style')}
      />
      <PromptNotes family={promptFamily(choice)} model="advanced" prompt={choice.prompt} />
      <div className="flex flex-wrap gap-2">
        {examples.map((example) => (
          <button
            key={example}
            type="button"
            onClick={() => onChange({ prompt: example })}
            className="rounded-full border px-3 py-1.5 text-left text-small text-ink-soft hover:border-ink-soft hover:text-ink"
          >
            {example}
          </button>
        ))}
      </div>
      <Choice label={say('People')}>
        <Segmented
          label={say('People')}
          value={choice.people}
          options={[
            { value: 'one', label: say('One person') },
            { value: 'group', label: say('Group') },
          ]}
          onChange={(people) => onChange({ people })}
        />
      </Choice>
      {choice.people === 'group' && (
        <Choice label={say('Style')}>
          <Segmented
            label={say('Style')}
            value={choice.style}
            options={[
              { value: 'realistic', label: say('Realistic') },
              { value: 'stylized', label: say('Stylized') },
            ]}
            onChange={(style) => onChange({ style })}
          />
        </Choice>
      )}
    </div>
  );
}
