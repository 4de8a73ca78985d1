import { GuiseError } from '@guise/client/guise-error.ts';
import type { Me } from '@guise/contract/account.ts';
import type { CurrentSession } from '@guise/contract/sessions.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { forgetWorkbenches } from '../screens/try/workbench-store.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { errorSentence } from '../ui/error-sentence.ts';
import { useToast } from '../ui/toasts.tsx';
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
  const signOut = useSignOut();
  const shown = data?.account ? data : last.current;
  const session = useMemo(
    () =>
      shown?.account
        ? { me: shown.account, hasPassword: shown.has_password, commandLine: shown.command_line, signOut }
        : null,
    [shown, signOut],
  );

  const isOwnPage = useOwnPage(session?.me.id);

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
  if (!isOwnPage) return null;
  return (
    <SessionContext value={session}>
      {children}
      <Suspense>{isSignedOut && <SignInAgain email={session.me.email} />}</Suspense>
    </SessionContext>
  );
}

function useSignOut(): Session['signOut'] {
  const guise = useGuise();
  const { fail } = useToast();
  const latestFail = useRef(fail);
  latestFail.current = fail;
  return useCallback(
    async (everywhere = false) => {
      try {
        await guise.sessions.end(everywhere ? 'all' : 'current');
      } catch (error) {
        // Whoever is refused is signed out already, or uses a key, which has no session.
        const isRefused = error instanceof GuiseError && error.status >= 400 && error.status < 500;
        if (!isRefused) return void latestFail.current(errorSentence(error));
      }
      forgetWorkbenches();
      // A fresh page holds nothing of the account: no key, no picture, nothing that was read.
      location.assign('/');
    },
    [guise],
  );
}

/**
 * Whether what the page holds is of this account. Another one may have signed in meanwhile, here or in another tab: what
 * was read and typed before is forgotten, and the page begins anew.
 */
function useOwnPage(accountId: string | undefined): boolean {
  const queries = useQueryClient();
  const [ownerId, setOwnerId] = useState<string>();
  useEffect(() => {
    if (accountId === undefined || accountId === ownerId) return;
    if (ownerId !== undefined) queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
    setOwnerId(accountId);
  }, [queries, accountId, ownerId]);
  return ownerId === undefined || ownerId === accountId;
}
