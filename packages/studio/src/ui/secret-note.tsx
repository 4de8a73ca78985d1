import { language } from '../words/language.ts';
import { say } from '../words/say.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';

interface SecretNoteProps {
  title: string;
  /** What it is for, and that it is shown only now. */
  text: string;
  secrets: readonly { label: string; value: string }[];
  onDone(): void;
}

/** Secrets that are shown once: they stay in sight until the person says that they are copied. */
export function SecretNote({ title, text, secrets, onDone }: SecretNoteProps) {
  return (
    <section
      aria-label={title}
      aria-live="polite"
      className="flex flex-col gap-3 rounded-card border border-accent bg-raised p-4"
    >
      <div>
        <h2>{title}</h2>
        <p className="text-ink-soft">{text}</p>
      </div>
      {secrets.map(({ label, value }, at) => (
        <div key={label} className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
          <div className="min-w-0">
            {secrets.length > 1 && <p className="text-small text-ink-soft">{label}</p>}
            <code className="block min-w-0 font-mono text-small break-all select-all">{value}</code>
          </div>
          <CopyButton
            text={value}
            label={say('Copy {secret}', { secret: language === 'en' ? label.toLowerCase() : label })}
            kind={at === 0 ? 'primary' : 'plain'}
          />
        </div>
      ))}
      <Button className="self-start" onClick={onDone}>
        {say('Done')}
      </Button>
    </section>
  );
}
