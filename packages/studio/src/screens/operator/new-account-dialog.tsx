import type { CreatedAccount } from '@guise/contract/operator/operator.ts';
import { useForm } from 'react-hook-form';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { say } from '../../words/say.ts';

interface NewAccountDialogProps {
  onMade(account: CreatedAccount): void;
  onClose(): void;
}

const roles = [
  { value: 'account', label: say('Account') },
  { value: 'operator', label: say('Operator') },
] as const;

/** A new account with its first credits. */
export function NewAccountDialog({ onMade, onClose }: NewAccountDialogProps) {
  const guise = useGuise();
  const form = useForm({
    defaultValues: { email: '', password: '', credits: '', role: 'account' as 'account' | 'operator' },
  });
  const { errors, isSubmitting } = form.formState;
  const make = form.handleSubmit(async ({ email, password, credits, role }) => {
    try {
      const wanted = { email: email.trim(), role, credits: Number(credits) };
      onMade(await guise.operator.createAccount({ ...wanted, ...(password && { password }) }));
    } catch (error) {
      form.setError('root', { message: errorSentence(error) });
    }
  });
  return (
    <Dialog open title={say('Make an account')} onClose={onClose}>
      <form onSubmit={make} noValidate className="flex flex-col gap-5">
        <TextField
          label={say('Email')}
          type="email"
          autoComplete="off"
          autoFocus
          error={errors.email?.message}
          {...form.register('email', {
            validate: (email) => /^[^\s@]+@[^\s@]+$/.test(email.trim()) || say('Enter an email address.'),
          })}
        />
        <TextField
          label={say('Password')}
          type="password"
          autoComplete="new-password"
          hint={say('At least 8 characters. Without one, the account signs in by the link that you get.')}
          error={errors.password?.message}
          {...form.register('password', {
            validate: (password) =>
              password === '' || password.length >= 8 || say('It must have at least 8 characters.'),
          })}
        />
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label={say('Credits')}
            inputMode="numeric"
            autoComplete="off"
            placeholder="0"
            error={errors.credits?.message}
            {...form.register('credits', {
              validate: (text) => /^\d{0,9}$/.test(text.trim()) || say('Enter a whole number.'),
            })}
          />
          <SelectField label={say('Role')} options={roles} {...form.register('role')} />
        </div>
        {errors.root && (
          <p role="alert" className="text-lost">
            {errors.root.message}
          </p>
        )}
        <Button kind="primary" type="submit" busy={isSubmitting} className="self-end">
          {say('Make the account')}
        </Button>
      </form>
    </Dialog>
  );
}
