import type { Booth, NewEventJobInput } from '@guise/contract/events/event-guests.ts';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { BigButton } from '../../shared/big-button.tsx';
import { inLanguage, useLanguage, useTexts } from '../../shared/texts/texts.ts';
import { formatTime } from '../event/format-time.ts';
import { asksConsent } from '../event/offers.ts';
import { GuestFrame } from './guest-frame.tsx';

interface ConsentStepProps {
  booth: Booth;
  /** Whether the text changed after the guest had agreed to an earlier one. */
  hasChanged: boolean;
  onStop(): void;
  onAgree(consent: NewEventJobInput['consent'] | null): void;
}

/** What the guest agrees to, and what is kept until when. No tick, no camera. */
export function ConsentStep({ booth, hasChanged, onStop, onAgree }: ConsentStepProps) {
  const language = useLanguage();
  const { consent: texts } = useTexts().booth;
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const sentences = consentSentences(booth);
  const sentence = inLanguage(sentences, language) ?? '';
  const needed = [
    ...(sentence ? ['consent'] : []),
    ...booth.questions.filter(({ required }) => required).map(({ id }) => questionOf(id)),
  ];
  const toggle = (name: string) =>
    setTicked((before) => {
      const after = new Set(before);
      if (!after.delete(name)) after.add(name);
      return after;
    });
  const agree = () => {
    const answers = booth.questions.map(({ id }) => [id, ticked.has(questionOf(id))] as const);
    const consent = {
      version: booth.consent_version,
      // The one of the sentence that the guest has read.
      language: Object.keys(sentences).find((name) => sentences[name] === sentence) ?? language,
      answers: Object.fromEntries(answers),
      given_at: new Date().toISOString(),
    };
    onAgree(asksConsent(booth) ? consent : null);
  };
  return (
    <GuestFrame
      title={texts.title}
      notice={hasChanged ? texts.changed : null}
      onStop={onStop}
      actions={
        <BigButton
          kind="primary"
          disabled={!needed.every((name) => ticked.has(name))}
          onClick={agree}
          className="w-full max-w-xl"
        >
          {texts.start}
        </BigButton>
      }
    >
      <div className="mx-auto flex h-full max-w-3xl flex-col justify-center gap-5 overflow-y-auto">
        <div className="flex min-h-0 flex-col gap-5 overflow-y-auto">
          {sentence && <p className="text-pretty whitespace-pre-line">{sentence}</p>}
          {sentence && (
            <Tick isOn={ticked.has('consent')} onToggle={() => toggle('consent')} label={texts.agree} />
          )}
          {booth.questions.map(({ id, labels, required }) => (
            <Tick
              key={id}
              isOn={ticked.has(questionOf(id))}
              onToggle={() => toggle(questionOf(id))}
              label={inLanguage(labels, language) ?? id}
              hint={required ? texts.required : texts.optional}
            />
          ))}
          <Kept booth={booth} />
        </div>
      </div>
    </GuestFrame>
  );
}

const questionOf = (id: string) => `question ${id}`;

/** What the guest agrees to, by language. An event may welcome in more languages than it asks in. */
function consentSentences({ texts }: Booth): Record<string, string> {
  const written = Object.entries(texts).flatMap(([name, { consent }]) => (consent ? [[name, consent]] : []));
  return Object.fromEntries(written);
}

interface TickProps {
  isOn: boolean;
  label: string;
  hint?: string;
  onToggle(): void;
}

function Tick({ isOn, label, hint, onToggle }: TickProps) {
  return (
    <label className="flex min-h-18 items-center gap-5 rounded-card border bg-panel px-5 py-3 has-checked:border-accent has-focus-visible:outline-3 has-focus-visible:outline-accent">
      <input type="checkbox" checked={isOn} onChange={onToggle} className="peer sr-only" />
      <span
        aria-hidden
        className="grid size-10 shrink-0 place-items-center rounded-lg border-2 border-ink-soft text-transparent peer-checked:border-accent peer-checked:bg-accent peer-checked:text-on-accent"
      >
        <svg viewBox="0 0 24 24" className="size-7" aria-hidden="true">
          <path d="M5 13l4.5 4.5L19 7" fill="none" stroke="currentColor" strokeWidth="3.2" />
        </svg>
      </span>
      <span className="min-w-0 flex-1 font-medium wrap-break-word">
        {/* The blank keeps Arabic letters from joining across the two. */}
        {label} {hint && <span className="ms-2 text-small font-normal text-ink-soft">{hint}</span>}
      </span>
    </label>
  );
}

function Kept({ booth }: { booth: Booth }) {
  const language = useLanguage();
  const { kept } = useTexts().booth.consent;
  const companies = booth.photos_go_to ?? [];
  const until = booth.result_hours === null ? null : new Date(Date.now() + booth.result_hours * 3600_000);
  return (
    <p className="flex gap-4 text-small text-ink-soft">
      <ShieldCheck size={26} aria-hidden className="mt-0.5 shrink-0" />
      <span>
        {kept.photo} {booth.moments && `${kept.moment} `}
        {companies.length > 0 && `${kept.goesTo(companies.join(', '))} `}
        {until ? kept.pictureUntil(formatTime(until, booth.time_zone, language)) : kept.picture} {kept.erase}
      </span>
    </p>
  );
}
