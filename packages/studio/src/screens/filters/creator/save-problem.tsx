import { GuiseError } from '@guise/client/guise-error.ts';
import { useEffect, useRef } from 'react';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { say } from '../../../words/say.ts';

/** Why a filter was not saved, below the button: what is missing, or the server's sentence and the part that it means. */
export function SaveProblem({ missing = [], error }: { missing?: readonly string[]; error: unknown }) {
  const box = useRef<HTMLElement>(null);
  const sentences = error ? [errorSentence(error)] : missing;
  const isShown = sentences.length > 0;
  useEffect(() => {
    // Focus brings it into the window, wherever the page was scrolled to.
    if (isShown) box.current?.focus();
  }, [isShown]);
  if (!isShown) return null;
  const fields = error instanceof GuiseError ? error.fields : [];
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={say('Not saved')}
      className="mx-6 mb-5 flex scroll-m-4 flex-col gap-1 rounded-card border border-lost px-4 py-3 text-lost max-md:mx-4"
    >
      <div role="alert">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      {fields.length > 1 && (
        <ul className="text-small">
          {fields.map(({ path, message }) => (
            <li key={path}>
              {path}: {message}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
