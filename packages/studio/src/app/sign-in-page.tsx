import { GuiseError } from '@guise/client/guise-error.ts';
import { createLazyRoute } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { errorSentence } from '../ui/error-sentence.ts';
import { say } from '../words/say.ts';
import { useGuise } from './guise-context.ts';
import icon from './icon.svg';
import { SignInForm } from './sign-in-form.tsx';
import { WaysIn } from './ways-in.tsx';

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
      .catch(async (error) => {
        // Whoever opens a used link again is often signed in by it already.
        const { account } = await guise.sessions.current().catch(() => ({ account: null }));
        if (account) location.replace('/');
        else setProblem(linkProblem(error));
      });
  }, [token, guise]);

  return (
    <main className="grid min-h-dvh place-items-center px-6 py-12">
      <div className="w-full max-w-80">
        <img src={icon} alt="" className="mb-6 size-12" />
        <h1 className="mb-6">{say('Sign in to Guise')}</h1>
        {problem && (
          <div role="alert" className="mb-4 text-lost">
            <p>{problem}</p>
            <p>{say('Sign in with your password, or make a new link as below.')}</p>
          </div>
        )}
        <SignInForm />
        <WaysIn />
      </div>
    </main>
  );
}

/** What a link that is not taken says. The server does not tell a mistyped one from one that never was. */
function linkProblem(error: unknown): string {
  return error instanceof GuiseError && error.code === 'UNAUTHORIZED'
    ? say('This sign-in link is not valid.')
    : errorSentence(error);
}
