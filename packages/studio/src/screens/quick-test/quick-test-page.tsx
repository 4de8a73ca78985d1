import { quickTestGuestApi } from '@guise/client/quick-test-guest-api.ts';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { say } from '../../words/say.ts';
import { QuickTestBooth } from './quick-test-booth.tsx';

export const Route = createLazyRoute('/studio/quick-test/$token')({ component: QuickTestPage });

/** The page of a guest: no account, no session. All it has is the token of its link. */
function QuickTestPage() {
  const { token } = Route.useParams();
  const [guest] = useState(() => quickTestGuestApi('', token));
  const { data, error, refetch } = useQuery({
    queryKey: ['quick-test'],
    queryFn: ({ signal }) => guest.get(signal),
  });
  const name = data?.filter.name;
  useEffect(() => {
    if (name) document.title = name;
  }, [name]);

  if (data) return <QuickTestBooth guest={guest} quickTest={data} onRunsUsed={() => void refetch()} />;
  return (
    <main className="grid min-h-dvh place-items-center px-6 py-12 text-center">
      {error && (
        <div className="flex max-w-sm flex-col items-center gap-5">
          <h1>{errorSentence(error)}</h1>
          {isPassing(error) && <Button onClick={() => void refetch()}>{say('Try again')}</Button>}
        </div>
      )}
    </main>
  );
}

/** Links that have ended stay ended; a lost connection does not. */
const isPassing = (error: Error) => 'retryable' in error && error.retryable === true;
