import { problemsOf } from '@guise/contract/events/check-details.ts';
import type { DetailProblem, ShownGuestDetail } from '@guise/contract/events/details.ts';
import type { Booth } from '@guise/contract/events/event-guests.ts';
import { useId, useState } from 'react';
import { BigButton } from '../../shared/big-button.tsx';
import { inLanguage, useLanguage, useTexts } from '../../shared/texts/texts.ts';
import type { Guest } from '../guests/guest.ts';
import { GuestFrame } from './guest-frame.tsx';

interface DetailsStepProps {
  booth: Booth;
  guest: Guest;
  onBack(): void;
  onStop(): void;
  onGiven(details: Readonly<Record<string, string>>): void;
}

/** What the guest types or chooses, such as a name or a team: for the picture and the print. */
export function DetailsStep({ booth, guest, onBack, onStop, onGiven }: DetailsStepProps) {
  const { booth: boothTexts } = useTexts();
  const texts = boothTexts.details;
  const [given, setGiven] = useState<Readonly<Record<string, string>>>(guest.details);
  const [isChecked, setChecked] = useState(false);
  const found = problemsOf(booth.details, given, booth.blocked_words);
  const next = () => {
    setChecked(true);
    if (Object.keys(found).length > 0) return;
    const asked = new Set(booth.details.map(({ id }) => id));
    const said = Object.entries(given).map(([id, text]) => [id, text.trim()] as const);
    onGiven(Object.fromEntries(said.filter(([id, text]) => text !== '' && asked.has(id))));
  };
  return (
    <GuestFrame
      title={texts.title}
      notice={guest.notice === 'detailsChanged' ? texts.changed : null}
      onBack={onBack}
      onStop={onStop}
      actions={
        <BigButton kind="primary" onClick={next} className="w-full max-w-xl">
          {boothTexts.next}
        </BigButton>
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          next();
        }}
        className="mx-auto flex h-full max-w-3xl flex-col gap-6 overflow-y-auto p-1"
      >
        {booth.details.map((detail) => (
          <DetailField
            key={detail.id}
            detail={detail}
            value={given[detail.id] ?? ''}
            // What is missing is said when the guest wants to go on; a word that cannot be used at once.
            problem={isChecked || found[detail.id] === 'blocked' ? found[detail.id] : undefined}
            onChange={(value) => setGiven({ ...given, [detail.id]: value })}
          />
        ))}
        <button type="submit" hidden />
      </form>
    </GuestFrame>
  );
}

interface DetailFieldProps {
  detail: ShownGuestDetail;
  value: string;
  problem: DetailProblem | undefined;
  onChange(value: string): void;
}

function DetailField({ detail, value, problem, onChange }: DetailFieldProps) {
  const id = useId();
  const language = useLanguage();
  const { details: texts, consent } = useTexts().booth;
  const label = inLanguage(detail.labels, language) ?? detail.id;
  const said = problem && problemWords(texts, problem, detail);
  const note = said ?? (detail.required ? consent.required : consent.optional);
  const hint = (
    <p
      id={`${id}-hint`}
      role={said ? 'alert' : undefined}
      className={`text-small ${said ? 'font-semibold' : 'text-ink-soft'}`}
    >
      {note}
    </p>
  );
  if (detail.kind === 'choice')
    return (
      <fieldset aria-describedby={`${id}-hint`} className="flex flex-col gap-2">
        <legend className="mb-2 font-medium">{label}</legend>
        <div className="flex flex-wrap gap-3">
          {detail.choices?.map((choice) => (
            <BigButton
              key={choice.id}
              kind={value === choice.id ? 'primary' : 'plain'}
              aria-pressed={value === choice.id}
              onClick={() => onChange(value === choice.id ? '' : choice.id)}
            >
              {inLanguage(choice.labels, language) ?? choice.id}
            </BigButton>
          ))}
        </div>
        {hint}
      </fieldset>
    );
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        type="text"
        dir="auto"
        inputMode={detail.kind === 'number' ? 'numeric' : 'text'}
        maxLength={detail.kind === 'number' ? 10 : detail.letters}
        aria-describedby={`${id}-hint`}
        aria-invalid={said !== undefined}
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="next"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="min-h-16 rounded-card border bg-panel px-5 aria-invalid:border-accent"
      />
      {hint}
    </div>
  );
}

type DetailTexts = ReturnType<typeof useTexts>['booth']['details'];

function problemWords(texts: DetailTexts, problem: DetailProblem, detail: ShownGuestDetail): string {
  if (problem === 'number') return texts.number(detail.least ?? 0, detail.most ?? 0);
  return texts[problem];
}
