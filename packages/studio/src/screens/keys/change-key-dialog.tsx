import type { Key } from '@guise/contract/keys.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';
import { expiryFieldsOf, readExpiry } from './key-expiry.ts';
import { type KeyFields, KeyForm, readBudget } from './key-form.tsx';

/** The name, the budget and the expiry of a key. What it may do stays. */
export function ChangeKeyDialog({ of, onClose }: { of: Key; onClose(): void }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { tell } = useToast();
  const form = useForm<KeyFields>({
    defaultValues: { name: of.name, budget: String(of.budget ?? ''), ...expiryFieldsOf(of.expires_at) },
  });
  const { dirtyFields, errors, isSubmitting } = form.formState;
  const change = form.handleSubmit(async ({ name, budget, ...expiry }) => {
    try {
      await guise.keys.change(of.id, {
        name: name.trim(),
        // What was not touched is not sent: somebody else may have changed it.
        ...(dirtyFields.budget && { budget: readBudget(budget) }),
        ...((dirtyFields.choice || dirtyFields.date) && { expires_at: readExpiry(expiry) ?? null }),
      });
      await queries.invalidateQueries({ queryKey: ['keys'] });
      tell(say('The key is changed.'));
      onClose();
    } catch (error) {
      form.setError('root', { message: errorSentence(error) });
    }
  });
  return (
    <Dialog open title={say('Change “{name}”', { name: of.name })} onClose={onClose}>
      <form onSubmit={change} noValidate className="flex flex-col gap-5">
        <KeyForm form={form} />
        {errors.root && (
          <p role="alert" className="text-lost">
            {errors.root.message}
          </p>
        )}
        <Button kind="primary" type="submit" busy={isSubmitting} className="self-end">
          {say('Save')}
        </Button>
      </form>
    </Dialog>
  );
}
