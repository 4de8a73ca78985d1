import { Plus, Trash2 } from 'lucide-react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button, IconButton } from '../../../ui/button.tsx';
import { language } from '../../../words/language.ts';
import { say } from '../../../words/say.ts';
import { type EventFields, slugOf } from './event-fields.ts';
import { FormSection } from './form-section.tsx';
import { LabelFields } from './label-fields.tsx';

/** As many as the interface takes. */
const mostQuestions = 10;

/** Questions whose answers decide where a picture is shown: by their ids. */
const showing = [
  {
    id: 'wall',
    action: say('Ask about the wall'),
    label: say('My picture may be shown on the wall'),
    effect: say('Without a yes, a picture is not shown on the wall.'),
  },
  {
    id: 'gallery',
    action: say('Ask about the gallery'),
    label: say('My picture may be shown in the gallery'),
    effect: say('Without a yes, a picture is not shown in the gallery.'),
  },
];

/** What guests are asked beside the consent text. */
export function QuestionsSection() {
  const { control, register, watch } = useFormContext<EventFields>();
  const { fields, append, remove } = useFieldArray({ control, name: 'questions', keyName: 'fieldKey' });
  const questions = watch('questions');
  const isFull = fields.length >= mostQuestions;
  const add = (id: string, labels: Record<string, string>) => append({ id, required: false, labels });
  return (
    <FormSection
      title={say('Questions')}
      text={say('Such as whether a picture may be shown on the wall, or whether the guest is old enough.')}
    >
      {fields.length > 0 && (
        <ul aria-label={say('Questions')} className="flex flex-col gap-4">
          {fields.map(({ fieldKey }, at) => (
            <li key={fieldKey} className="flex flex-col gap-3 border-b pb-4">
              <LabelFields
                path={`questions.${at}.labels`}
                what={say('Question {number}', { number: at + 1 })}
              />
              <Effect id={questions[at]?.id} />
              <div className="flex items-center justify-between gap-4">
                <label className="flex min-h-9 items-center gap-3">
                  <input
                    type="checkbox"
                    className="size-4.5 shrink-0 accent-accent"
                    {...register(`questions.${at}.required`)}
                  />
                  {say('Only guests who say yes go on')}
                </label>
                <IconButton
                  label={say('Remove question {number}', { number: at + 1 })}
                  onClick={() => remove(at)}
                >
                  <Trash2 size={17} aria-hidden />
                </IconButton>
              </div>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {showing
          .filter(({ id }) => !questions.some((question) => question.id === id))
          .map(({ id, action, label }) => (
            <Button key={id} disabled={isFull} onClick={() => add(id, { [language]: label })}>
              {action}
            </Button>
          ))}
        <Button
          icon={<Plus size={17} aria-hidden />}
          disabled={isFull}
          onClick={() => add(slugOf('question', questions), {})}
        >
          {say('Add a question')}
        </Button>
      </div>
    </FormSection>
  );
}

function Effect({ id }: { id: string | undefined }) {
  const effect = showing.find((question) => question.id === id)?.effect;
  return effect && <p className="text-small text-ink-soft">{effect}</p>;
}
