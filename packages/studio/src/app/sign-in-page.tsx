import { createLazyRoute } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { errorSentence } from '../ui/error-sentence.ts';
import { useGuise } from './guise-context.ts';
import icon from './icon.svg';
import { SignInForm } from './sign-in-form.tsx';

export const Route = createLazyRoute('/studio/sign-in')({ component: SignInPage });

/** The first page of whoever has no session. A link that signs in has its token behind the `#`. */
export function SignInPage() {
  const guise = useGuise();
  const [token] = useState(() => location.hash.slice(1));
  const [problem, setProblem] = useState<string>();

  const used = useRef(false);

  useEffect(() => {
    if (!token || used.current) return;
    used.current = true;
    // The token works once: it must not stay in the address.
    history.replaceState(null, '', location.pathname);
    guise.sessions
      .start({ link: token })
      .then(() => location.replace('/'))
      .catch((error) => setProblem(errorSentence(error)));
  }, [token, guise]);

  return (
    <main className="grid min-h-dvh place-items-center px-6 py-12">
      <div className="w-full max-w-80">
        <img src={icon} alt="" className="mb-6 size-12" />
        <h1 className="mb-6">Sign in to Guise</h1>
        {problem && (
          <p role="alert" className="mb-4 text-lost">
            {problem}
          </p>
        )}
        <SignInForm />
        <p className="mt-8 text-small text-ink-soft">
          No account yet? On the server, run{' '}
          <code className="text-ink">npm run -s guise -- accounts create you@example.com --password</code>, or{' '}
          <code className="text-ink">accounts link</code> for a link that signs in.
        </p>
      </div>
    </main>
  );
}
