import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { say } from '../words/say.ts';
import { SignInForm } from './sign-in-form.tsx';
import { WaysIn } from './ways-in.tsx';

/** Asks for the password above a page whose session has ended. */
export function SignInAgain({ email }: { email: string }) {
  const queries = useQueryClient();
  // Whoever has signed in in another tab, by a link for example, comes back to this one.
  useEffect(() => {
    const ask = () => void queries.refetchQueries({ queryKey: ['me'] });
    window.addEventListener('focus', ask);
    return () => window.removeEventListener('focus', ask);
  }, [queries]);
  return (
    <Dialog open title={say('Sign in again')} onClose={() => {}}>
      <p className="mb-4 text-ink-soft">
        {say('Your session has ended. Sign in to go on; what you typed is still here.')}
      </p>
      <SignInForm email={email} />
      <WaysIn email={email} />
    </Dialog>
  );
}
