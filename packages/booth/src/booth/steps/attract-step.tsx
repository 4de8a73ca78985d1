import type { Booth } from '@guise/contract/events/event-guests.ts';
import { Languages as LanguageIcon, Lock, Ticket, WifiOff } from 'lucide-react';
import { RoundButton } from '../../shared/big-button.tsx';
import { inLanguage, textsIn, useLanguage, useTexts } from '../../shared/texts/texts.ts';
import { PictureLoop } from './picture-loop.tsx';

interface AttractStepProps {
  booth: Booth;
  languages: readonly string[];
  isAway: boolean;
  /** Whether this device has no room for photos that have to wait. */
  isFull: boolean;
  waiting: number;
  /** Whether guests left who come back with a number. */
  canCollect: boolean;
  onLanguage(language: string): void;
  onStart(): void;
  onCollect(): void;
  onOperator(): void;
}

/** Pictures of what can be made here, and one thing to do: touch. */
export function AttractStep(props: AttractStepProps) {
  const { booth, isAway, isFull, waiting, canCollect, onStart, onCollect, onOperator } = props;
  const { attract } = useTexts().booth;
  const pictures = booth.offers.flatMap(({ preview_url }) => (preview_url ? [preview_url] : []));
  const text = inLanguage(booth.texts, useLanguage())?.welcome;
  // The default welcome is what the button says.
  const welcome = text === attract.start ? undefined : text;
  return (
    <main className="relative flex h-dvh flex-col overflow-hidden bg-ground text-ink">
      {/* Upright, the picture is above the words; lying, beside them: no word stands on a face. */}
      <div className="relative min-h-[25dvh] flex-1 landscape:absolute landscape:inset-0 landscape:start-[38%]">
        <PictureLoop pictures={pictures} />
        <div
          aria-hidden
          className="absolute inset-0 bg-linear-to-t from-ground via-ground/10 via-15% to-transparent landscape:bg-linear-to-r landscape:via-30% landscape:rtl:bg-linear-to-l"
        />
      </div>
      {/* The whole screen starts; what stands above it has buttons of its own. */}
      <button
        type="button"
        aria-labelledby="event-name event-start"
        onClick={onStart}
        className="absolute inset-0 outline-offset-[-6px]"
      />
      <div className="pointer-events-none relative flex min-h-0 flex-col items-center justify-end gap-[2vmin] px-6 text-center select-none landscape:flex-1 landscape:items-start landscape:pt-6 landscape:justify-center landscape:pe-[54%] landscape:ps-[5vw] landscape:text-start">
        <span
          id="event-name"
          className="max-w-full text-huge font-semibold tracking-tight text-balance wrap-break-word"
        >
          <bdi>{booth.name}</bdi>
        </span>
        {welcome && <span className="max-w-[30ch] text-base text-balance">{welcome}</span>}
        <span
          id="event-start"
          className="mt-2 inline-flex min-h-20 shrink-0 animate-[breathe_2.4s_ease-in-out_infinite] items-center rounded-full bg-accent px-12 text-title font-semibold whitespace-nowrap text-on-accent"
        >
          {attract.start}
        </span>
      </div>
      {/* On a phone, what can be collected has a row of its own above the languages. */}
      <div className="pointer-events-none relative flex shrink-0 flex-wrap-reverse *:pointer-events-auto items-end justify-between gap-2 p-4">
        <Languages {...props} />
        <div className="ms-auto flex gap-1">
          {canCollect && (
            <button
              type="button"
              onClick={onCollect}
              className="inline-flex min-h-16 items-center gap-2 rounded-full bg-panel px-5 text-small font-semibold whitespace-nowrap"
            >
              <Ticket size={22} aria-hidden />
              {attract.collect}
            </button>
          )}
          <RoundButton label={attract.operator} onClick={onOperator} className="text-ink-soft">
            <Lock size={22} aria-hidden />
          </RoundButton>
        </div>
      </div>
      {isAway && (
        <p
          role="status"
          className="absolute top-4 left-1/2 flex w-max max-w-[92vw] -translate-x-1/2 items-center gap-3 rounded-card bg-panel px-5 py-3 text-small"
        >
          <WifiOff size={20} aria-hidden className="shrink-0" />
          {isFull ? attract.full : attract.away(waiting)}
        </p>
      )}
    </main>
  );
}

/** As many as fit beside each other on a phone; more are in a list. */
const mostButtons = 3;

function Languages({ languages, onLanguage }: Pick<AttractStepProps, 'languages' | 'onLanguage'>) {
  const language = useLanguage();
  const label = useTexts().booth.language;
  if (languages.length > mostButtons)
    return (
      <label className="flex items-center rounded-full bg-panel ps-5 has-focus-visible:outline-3">
        <LanguageIcon size={22} aria-hidden className="shrink-0" />
        <select
          aria-label={label}
          value={language}
          onChange={({ target }) => onLanguage(target.value)}
          className="min-h-16 rounded-full bg-panel ps-3 pe-5 text-small font-semibold outline-none"
        >
          {languages.map((name) => (
            <option key={name} value={name} lang={name}>
              {textsIn(name).name}
            </option>
          ))}
        </select>
      </label>
    );
  return (
    <fieldset aria-label={label} className="flex flex-wrap gap-1">
      {languages.length > 1 &&
        languages.map((name) => (
          <button
            key={name}
            type="button"
            lang={name}
            aria-pressed={name === language}
            onClick={() => onLanguage(name)}
            className="min-h-16 rounded-full px-5 text-small font-semibold aria-pressed:bg-panel"
          >
            {textsIn(name).name}
          </button>
        ))}
    </fieldset>
  );
}
