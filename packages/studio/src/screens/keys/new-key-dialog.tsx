import type { CreatedKey } from '@guise/contract/keys.ts';
import type { Scope } from '@guise/contract/scopes.ts';
import { useForm } from 'react-hook-form';
import { useGuise } from '../../app/guise-context.ts';
import { useSession } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { say } from '../../words/say.ts';
import { readExpiry } from './key-expiry.ts';
import { KeyForm, readBudget } from './key-form.tsx';
import { scopeWords } from './scope-words.ts';

interface NewKeyDialogProps {
  onMade(key: CreatedKey): void;
  onClose(): void;
}

/** A new key may do no more than whoever makes it. */
export function NewKeyDialog({ onMade, onClose }: NewKeyDialogProps) {
  const guise = useGuise();
  const { me } = useSession();
  const form = useForm({
    defaultValues: { name: '', budget: '', choice: 'never' as const, date: '', scopes: ['run'] as Scope[] },
  });
  const { errors, isSubmitting } = form.formState;
  const make = form.handleSubmit(async ({ name, budget, scopes, ...expiry }) => {
    try {
      const key = await guise.keys.create({
        name: name.trim(),
        scopes,
        budget: readBudget(budget),
        expires_at: readExpiry(expiry) ?? null,
      });
      onMade(key);
    } catch (error) {
      form.setError('root', { message: errorSentence(error) });
    }
  });
  return (
    <Dialog open title={say('Make a key')} onClose={onClose}>
      <form onSubmit={make} noValidate className="flex flex-col gap-5">
        <KeyForm form={form} />
        <fieldset className="flex flex-col">
          <legend className="mb-1 text-small font-medium">{say('Permissions')}</legend>
          {me.scopes.map((scope) => (
            <label key={scope} className="flex min-h-10 items-start gap-3 py-1.5">
              <input
                type="checkbox"
                value={scope}
                className="mt-0.5 size-4.5 shrink-0 accent-accent"
                {...form.register('scopes', {
                  validate: (scopes) => scopes.length > 0 || say('Choose at least one permission.'),
                })}
              />
              <span>
                {scopeWords[scope].label}
                <span className="block text-small text-ink-soft">{scopeWords[scope].text}</span>
              </span>
            </label>
          ))}
          {errors.scopes && <p className="text-small text-lost">{errors.scopes.message}</p>}
        </fieldset>
        {errors.root && (
          <p role="alert" className="text-lost">
            {errors.root.message}
          </p>
        )}
        <Button kind="primary" type="submit" busy={isSubmitting} className="self-end">
          {say('Make the key')}
        </Button>
      </form>
    </Dialog>
  );
}
