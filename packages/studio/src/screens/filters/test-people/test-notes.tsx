import { say } from '../../../words/say.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';
import type { DraftTest } from './use-draft-tests.ts';

/** What of the filter was followed in a picture, and what was not. */
export function TestNotes({ test }: { test: DraftTest | undefined }) {
  if (!test) return null;
  if (test.state === 'failed')
    return (
      <p role="alert" className="text-lost">
        {test.error}
      </p>
    );
  if (test.state === 'running' || test.state === 'waiting')
    return <p className="text-ink-soft">{test.state === 'running' ? say('Making…') : say('Waiting…')}</p>;
  if (test.state === 'cancelled') return <p className="text-ink-soft">{say('Stopped')}</p>;
  return (
    <>
      <ul aria-label={say('Applied')} className="text-ink-soft">
        {test.applied.map((sentence) => (
          <li key={sentence}>{sayOfServer(sentence)}</li>
        ))}
      </ul>
      {test.ignored.length > 0 && (
        <p className="mt-1">
          <span className="font-medium">{say('Ignored:')} </span>
          {test.ignored.map(sayOfServer).join(', ')}
        </p>
      )}
    </>
  );
}
