import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';

interface ChangedElsewhereProps {
  version: number;
  onLoad(): Promise<void>;
  onKeep(): Promise<void>;
}

/** Somebody saved the same filter meanwhile: nothing is overwritten or lost before the person has said which to keep. */
export function ChangedElsewhere({ version, onLoad, onKeep }: ChangedElsewhereProps) {
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
        This filter was changed elsewhere meanwhile; the newest is version {version}. Your changes are still
        here.
        {problem && <span className="block text-lost">{problem}</span>}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={run(onLoad)}>Load the newer one</Button>
        <Button onClick={run(onKeep)}>Keep mine</Button>
      </div>
    </div>
  );
}
