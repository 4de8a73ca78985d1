import type { Session } from '@guise/contract/sessions.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { useSession } from '../../app/session.tsx';
import { usePages } from '../../app/use-pages.ts';
import { Button } from '../../ui/button.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { fullTime, shortTime } from '../../ui/format-time.ts';
import { Problem } from '../../ui/problem.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { say, sayParts } from '../../words/say.ts';
import { browserWords } from './browser-words.ts';

const queryKey = ['sessions'];

/** The browsers that are signed in. */
export function SessionsPart() {
  const guise = useGuise();
  const { pages, error, readAgain, more } = usePages(queryKey, guise.sessions.list);
  const sessions = pages?.flatMap((page) => page.sessions);
  return (
    <div className="flex max-w-3xl flex-col gap-3">
      {error && <Problem error={error} onRetry={readAgain} />}
      {sessions?.length === 0 && (
        <p className="text-ink-soft">{say('No browser is signed in: this page uses a key.')}</p>
      )}
      {sessions && sessions.length > 0 && (
        <ul aria-label={say('Sessions')} className="border-t">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      <ShowMore more={more} />
    </div>
  );
}

function SessionRow({ session }: { session: Session }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { signOut } = useSession();
  const { tell, fail } = useToast();
  const end = useMutation({
    mutationFn: () => (session.current ? signOut() : guise.sessions.end(session.id)),
    onSuccess() {
      if (session.current) return;
      tell(say('That browser is signed out.'));
      return queries.invalidateQueries({ queryKey });
    },
    onError: (error) => void fail(errorSentence(error)),
  });
  return (
    <li className="flex items-center gap-4 border-b py-3">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={session.user_agent}>
          {browserWords(session.user_agent)}
          {session.current && <span className="font-normal text-good"> · {say('This browser')}</span>}
        </p>
        <p className="text-small text-ink-soft">
          {sayParts('Last used {used}, signed in {since}, until {end}', {
            used: <span title={fullTime(session.last_used)}>{shortTime(session.last_used)}</span>,
            since: shortTime(session.created_at),
            end: shortTime(session.expires_at),
          })}
        </p>
      </div>
      <Button busy={end.isPending} onClick={() => end.mutate()}>
        {say('Sign out')}
      </Button>
    </li>
  );
}
