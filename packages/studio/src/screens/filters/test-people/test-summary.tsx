import { say } from '../../../words/say.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';
import type { DraftTest } from './use-draft-tests.ts';

/** What went wrong or was ignored, for phones: their pictures have no room for it below. */
export function TestSummary({ tests }: { tests: DraftTest[] }) {
  const errors = new Set(tests.flatMap(({ state, error }) => (state === 'failed' && error ? [error] : [])));
  const ignored = new Set(tests.flatMap((test) => (test.state === 'done' ? test.ignored : [])));
  if (errors.size === 0 && ignored.size === 0) return null;
  return (
    <div className="text-small md:hidden">
      {[...errors].map((error) => (
        <p key={error} role="alert" className="text-lost">
          {error}
        </p>
      ))}
      {ignored.size > 0 && (
        <p className="line-clamp-2 text-ink-soft">
          {say('Ignored:')} {[...ignored].map(sayOfServer).join(', ')}
        </p>
      )}
    </div>
  );
}
