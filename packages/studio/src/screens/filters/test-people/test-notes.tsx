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
    return <p className="text-ink-soft">{test.state === 'running' ? 'Is being made…' : 'Waits…'}</p>;
  if (test.state === 'cancelled') return <p className="text-ink-soft">Stopped</p>;
  return (
    <dl className="text-ink-soft">
      {test.applied.length > 0 && (
        <>
          <dt className="sr-only">Applied</dt>
          <dd>{test.applied.join(', ')}</dd>
        </>
      )}
      {test.ignored.length > 0 && (
        <>
          <dt className="mt-0.5 inline font-medium text-ink">Ignored: </dt>
          <dd className="inline">{test.ignored.join(', ')}</dd>
        </>
      )}
    </dl>
  );
}
