import { GuiseError } from '@guise/client/guise-error.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { errorSentence } from '../ui/error-sentence.ts';
import { TextField } from '../ui/text-field.tsx';
import { useToast } from '../ui/toasts.tsx';
import { say, sayParts } from '../words/say.ts';
import { useGuise } from './guise-context.ts';
import { useSession } from './session.tsx';

/** Sets the password of the account, or changes it for somebody who knows the old one. */
export function PasswordDialog({ onClose }: { onClose(): void }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { tell } = useToast();
  const { me, hasPassword } = useSession();
  const form = useForm({ defaultValues: { current: '', password: '' } });
  const { errors, isSubmitting } = form.formState;

  const save = form.handleSubmit(async ({ current, password }) => {
    try {
      await guise.sessions.setPassword({ password, ...(hasPassword && { current_password: current }) });
      await queries.invalidateQueries({ queryKey: ['me'] });
      tell(say('The password is set. Other browsers are signed out.'));
      onClose();
    } catch (error) {
      const isWrong = error instanceof GuiseError && error.code === 'WRONG_PASSWORD';
      form.setError(isWrong ? 'current' : 'root', { message: errorSentence(error) });
    }
  });

  return (
    <Dialog open title={hasPassword ? say('Change the password') : say('Set a password')} onClose={onClose}>
      <form className="flex flex-col gap-4" onSubmit={save} noValidate>
        <p className="text-ink-soft">
          {sayParts(
            'You sign in with {email} and this password. Other browsers are signed out, and sign-in links that were not used stop working.',
            { email: <span className="text-ink">{me.email}</span> },
          )}
        </p>
        {/* Password managers keep the password under this name. */}
        <input type="hidden" name="username" autoComplete="username" value={me.email} readOnly />
        {hasPassword && (
          <TextField
            label={say('Current password')}
            type="password"
            autoComplete="current-password"
            autoFocus
            error={errors.current?.message}
            {...form.register('current', { required: say('Type the password that you have now.') })}
          />
        )}
        <TextField
          label={say('New password')}
          type="password"
          autoComplete="new-password"
          autoFocus={!hasPassword}
          hint={say('At least 8 characters.')}
          error={errors.password?.message}
          {...form.register('password', {
            required: say('Type a password.'),
            minLength: { value: 8, message: say('Type at least 8 characters.') },
          })}
        />
        {errors.root && (
          <p role="alert" className="text-lost">
            {errors.root.message}
          </p>
        )}
        <Button kind="primary" type="submit" busy={isSubmitting}>
          {say('Save the password')}
        </Button>
      </form>
    </Dialog>
  );
}
