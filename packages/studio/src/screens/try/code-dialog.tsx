import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { say } from '../../words/say.ts';
import { codeSamples, filesOf, type Language } from './code-samples.ts';
import type { PlannedRun } from './run-choice.ts';

const languages = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
] as const;

/** The same run as a program. */
export function CodeDialog({ run, onClose }: { run: PlannedRun; onClose(): void }) {
  const guise = useGuise();
  const [language, setLanguage] = useState<Language>('curl');
  const key = useMutation({
    mutationFn: () => guise.keys.create({ name: say('Made in Try'), scopes: ['run'] }),
  });
  const target = { url: location.origin, key: key.data?.secret ?? 'YOUR_KEY' };
  const code = codeSamples[language](run, target);
  return (
    <Dialog open title={say('Copy as code')} onClose={onClose} wide>
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <Segmented<Language>
            label={say('Language')}
            value={language}
            options={languages}
            onChange={setLanguage}
          />
          <span className="flex-1" />
          {!key.data && (
            <Button busy={key.isPending} onClick={() => key.mutate()}>
              {say('Insert a new key')}
            </Button>
          )}
          <CopyButton text={code} />
        </div>
        {key.error && <Problem error={key.error} />}
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard.
          tabIndex={0}
          className="max-h-[55dvh] overflow-auto rounded-card bg-panel p-4 font-mono text-small whitespace-pre"
        >
          {code}
        </pre>
        <p className="text-small text-ink-soft">
          {key.data
            ? say(
                'The key is named “Made in Try” and may run filters only. It is shown only now; revoke it under Keys.',
              )
            : say('Insert your own key, or make one here. The program reads {files} from its folder.', {
                files: filesOf(run),
              })}
        </p>
      </div>
    </Dialog>
  );
}
