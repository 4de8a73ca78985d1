import { GuiseError } from '@guise/client/guise-error.ts';
import type { Me } from '@guise/contract/account.ts';
import type { CurrentSession } from '@guise/contract/sessions.ts';
import { useQuery } from '@tanstack/react-query';
import { createContext, lazy, type ReactNode, Suspense, use, useCallback, useMemo, useRef } from 'react';
import { forgetWorkbenches } from '../screens/try/workbench-store.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { errorSentence } from '../ui/error-sentence.ts';
import { say } from '../words/say.ts';
import { useGuise } from './guise-context.ts';

// Most people are signed in: they need not load this.
const SignInPage = lazy(() => import('./sign-in-page.tsx').then((m) => ({ default: m.SignInPage })));
const SignInAgain = lazy(() => import('./sign-in-again.tsx').then((m) => ({ default: m.SignInAgain })));

interface Session {
  me: Me;
  /** Null where a key is used, which can set none. */
  hasPassword: boolean | null;
  /** What commands begin with on the server. */
  commandLine: string;
  signOut(everywhere?: boolean): Promise<void>;
}

const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession is called outside of a session');
  return session;
}

/**
 * Shows its children to whoever is signed in. A session that ends in the middle of an edit asks for the password above
 * the page, which stays as it is.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const guise = useGuise();
  const { data, error, refetch } = useQuery({ queryKey: ['me'], queryFn: () => guise.sessions.current() });
  // The account of the page that is open: kept while the session is renewed.
  const last = useRef<CurrentSession>(undefined);
  if (data?.account) last.current = data;
  const signOut = useCallback(
    async (everywhere = false) => {
      await guise.sessions.end(everywhere ? 'all' : 'current').catch(() => {});
      forgetWorkbenches();
      // A fresh page holds nothing of the account: no key, no picture, nothing that was read.
      location.assign('/');
    },
    [guise],
  );
  const shown = data?.account ? data : last.current;
  const session = useMemo(
    () =>
      shown?.account
        ? { me: shown.account, hasPassword: shown.has_password, commandLine: shown.command_line, signOut }
        : null,
    [shown, signOut],
  );

  // A key that was revoked is refused; a session that has ended is nobody's.
  const isSignedOut = data?.account === null || (error instanceof GuiseError && error.status === 401);
  if (!session) {
    if (isSignedOut)
      return (
        <Suspense>
          <SignInPage />
        </Suspense>
      );
    if (error)
      return (
        <EmptyState title={say('The server does not answer')} text={errorSentence(error)}>
          <Button onClick={() => refetch()}>{say('Try again')}</Button>
        </EmptyState>
      );
    return null;
  }
  return (
    <SessionContext value={session}>
      {children}
      <Suspense>{isSignedOut && <SignInAgain email={session.me.email} />}</Suspense>
    </SessionContext>
  );
}
