import type { Account } from '@guise/contract/operator/operator.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { TextField } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';

export const accountsKey = ['accounts'];

/** Gives credits to an account. */
export function GrantCreditsDialog({ account, onClose }: { account: Account; onClose(): void }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { tell } = useToast();
  const form = useForm({ defaultValues: { amount: '' } });
  const { errors, isSubmitting } = form.formState;
  const amount = Number(form.watch('amount'));
  const give = form.handleSubmit(async () => {
    try {
      const { balance } = await guise.operator.grantCredits(account.id, amount);
      await queries.invalidateQueries({ queryKey: accountsKey });
      tell(say('{email} has {count} credits now.', { email: account.email, count: numberText(balance) }));
      onClose();
    } catch (error) {
      form.setError('amount', { message: errorSentence(error) });
    }
  });
  return (
    <Dialog open title={say('Give credits')} onClose={onClose}>
      <form onSubmit={give} noValidate className="flex flex-col gap-5">
        <p className="text-ink-soft">
          {say('{email} has {count} credits. They cannot be taken back here.', {
            email: account.email,
            count: numberText(account.balance),
          })}
        </p>
        <TextField
          label={say('Credits')}
          inputMode="numeric"
          autoComplete="off"
          autoFocus
          error={errors.amount?.message}
          {...form.register('amount', {
            validate: (text) => /^[1-9]\d{0,8}$/.test(text.trim()) || say('Enter a whole number, 1 or more.'),
          })}
        />
        <Button kind="primary" type="submit" busy={isSubmitting} className="self-end">
          {amount > 0 ? say('Give {count} credits', { count: numberText(amount) }) : say('Give credits')}
        </Button>
      </form>
    </Dialog>
  );
}
