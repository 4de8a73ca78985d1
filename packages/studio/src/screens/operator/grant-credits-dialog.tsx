import type { Account } from '@guise/contract/operator/operator.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { TextField } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toasts.tsx';

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
      tell(`${account.email} has ${balance.toLocaleString('en')} credits now.`);
      onClose();
    } catch (error) {
      form.setError('amount', { message: errorSentence(error) });
    }
  });
  return (
    <Dialog open title="Give credits" onClose={onClose}>
      <form onSubmit={give} noValidate className="flex flex-col gap-5">
        <p className="text-ink-soft">
          {account.email} has {account.balance.toLocaleString('en')} credits. They cannot be taken back here.
        </p>
        <TextField
          label="Credits"
          inputMode="numeric"
          autoComplete="off"
          autoFocus
          error={errors.amount?.message}
          {...form.register('amount', {
            validate: (text) => /^[1-9]\d{0,8}$/.test(text.trim()) || 'Enter a whole number, 1 or more.',
          })}
        />
        <Button kind="primary" type="submit" busy={isSubmitting} className="self-end">
          {amount > 0 ? `Give ${amount.toLocaleString('en')} credits` : 'Give credits'}
        </Button>
      </form>
    </Dialog>
  );
}
