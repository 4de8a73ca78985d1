import { say } from '../words/say.ts';
import { Button } from './button.tsx';
import { errorSentence } from './error-sentence.ts';

/** An error where the person is looking. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-card border border-lost px-4 py-3">
      <p className="min-w-0 flex-1 text-lost">{errorSentence(error)}</p>
      {onRetry && <Button onClick={onRetry}>{say('Try again')}</Button>}
    </div>
  );
}
