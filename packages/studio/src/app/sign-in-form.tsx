import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../ui/button.tsx';
import { errorSentence } from '../ui/error-sentence.ts';
import { TextField } from '../ui/text-field.tsx';
import { say } from '../words/say.ts';
import { useGuise } from './guise-context.ts';

/** Email and password, or a key that is forgotten when the page is closed. */
export function SignInForm({ email = '' }: { email?: string }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const [byKey, setByKey] = useState(false);
  const form = useForm({ defaultValues: { email, password: '', key: '' } });
  const { errors, isSubmitting } = form.formState;

  const signIn = form.handleSubmit(async ({ email, password, key }) => {
    try {
      if (byKey) guise.transport.setKey(key.trim());
      else await guise.sessions.start({ email, password });
      await queries.fetchQuery({ queryKey: ['me'], queryFn: () => guise.sessions.current(), staleTime: 0 });
      await queries.invalidateQueries();
    } catch (error) {
      if (byKey) guise.transport.setKey(undefined);
      const isWrong = error instanceof Error && 'status' in error && error.status === 401;
      form.setError('root', {
        message: !isWrong
          ? errorSentence(error)
          : byKey
            ? say('This key is not valid.')
            : say('The email or the password is wrong.'),
      });
    }
  });

  return (
    <form className="flex flex-col gap-4" onSubmit={signIn} noValidate>
      {byKey ? (
        <TextField
          key="key"
          label={say('API key')}
          autoComplete="off"
          autoFocus
          placeholder="gk_…"
          hint={say('Stays in this page only, and is gone when you close it.')}
          {...form.register('key', { required: true })}
        />
      ) : (
        <>
          <TextField
            key="email"
            label={say('Email')}
            type="email"
            autoComplete="username"
            autoFocus={!email}
            {...form.register('email', { required: true })}
          />
          <TextField
            key="password"
            label={say('Password')}
            type="password"
            autoComplete="current-password"
            autoFocus={email !== ''}
            {...form.register('password', { required: true })}
          />
        </>
      )}
      {errors.root && (
        <p role="alert" className="text-lost">
          {errors.root.message}
        </p>
      )}
      <Button kind="primary" type="submit" busy={isSubmitting}>
        {say('Sign in')}
      </Button>
      <Button kind="quiet" onClick={() => setByKey(!byKey)}>
        {byKey ? say('Use email and password') : say('Use an API key')}
      </Button>
    </form>
  );
}
