import { useState } from 'react';
import { say } from '../words/say.ts';
import { Button } from './button.tsx';
import { errorSentence } from './error-sentence.ts';

interface ChangedElsewhereProps {
  /** What was changed, and that nothing is lost. */
  text: string;
  onLoad(): Promise<void>;
  onKeep(): Promise<void>;
}

/** Somebody saved the same thing meanwhile: nothing is overwritten or lost before the person has said which to keep. */
export function ChangedElsewhere({ text, onLoad, onKeep }: ChangedElsewhereProps) {
  const [problem, setProblem] = useState<string>();
  const run = (action: () => Promise<void>) => () => {
    setProblem(undefined);
    action().catch((error) => setProblem(errorSentence(error)));
  };
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-card border border-accent px-4 py-3"
    >
      <p className="min-w-0 flex-1 basis-60">
        {text}
        {problem && <span className="block text-lost">{problem}</span>}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={run(onLoad)}>{say('Load the newer one')}</Button>
        <Button onClick={run(onKeep)}>{say('Keep mine')}</Button>
      </div>
    </div>
  );
}
