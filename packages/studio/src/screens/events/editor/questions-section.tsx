import { Plus, Trash2 } from 'lucide-react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button, IconButton } from '../../../ui/button.tsx';
import { type EventFields, slugOf } from './event-fields.ts';
import { FormSection } from './form-section.tsx';
import { LabelFields } from './label-fields.tsx';

/** As many as the interface takes. */
const mostQuestions = 10;

/** What guests are asked beside the consent text. */
export function QuestionsSection() {
  const { control, register, watch } = useFormContext<EventFields>();
  const { fields, append, remove } = useFieldArray({ control, name: 'questions', keyName: 'fieldKey' });
  return (
    <FormSection
      title="Questions"
      text="Such as whether a picture may be shown on the wall, or whether the guest is old enough."
    >
      {fields.length > 0 && (
        <ul aria-label="Questions" className="flex flex-col gap-4">
          {fields.map(({ fieldKey }, at) => (
            <li key={fieldKey} className="flex flex-col gap-3 border-b pb-4">
              <LabelFields path={`questions.${at}.labels`} what={`Question ${at + 1}`} />
              <div className="flex items-center justify-between gap-4">
                <label className="flex min-h-9 items-center gap-3">
                  <input
                    type="checkbox"
                    className="size-4.5 shrink-0 accent-accent"
                    {...register(`questions.${at}.required`)}
                  />
                  Only guests who say yes go on
                </label>
                <IconButton label={`Remove question ${at + 1}`} onClick={() => remove(at)}>
                  <Trash2 size={17} aria-hidden />
                </IconButton>
              </div>
            </li>
          ))}
        </ul>
      )}
      <Button
        icon={<Plus size={17} aria-hidden />}
        className="self-start"
        disabled={fields.length >= mostQuestions}
        onClick={() => append({ id: slugOf('question', watch('questions')), required: false, labels: {} })}
      >
        Add a question
      </Button>
    </FormSection>
  );
}
