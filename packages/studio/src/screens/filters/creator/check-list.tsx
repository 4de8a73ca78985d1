import type { CheckOutcome, VersionCheck } from '@guise/contract/filter-details.ts';
import { CircleAlert, CircleCheck, CircleX, LoaderCircle } from 'lucide-react';

const passedWords: Record<VersionCheck['kind'], string> = {
  definition: 'The definition is complete',
  words: 'All words are understood',
  engine: 'An engine can make it',
  photo: 'A photo',
};
const otherWords: Record<VersionCheck['kind'], string> = {
  definition: 'The definition',
  words: 'Words',
  engine: 'Engine',
  photo: 'A photo',
};

/** What was checked of a version, each with what was found: what it says, then what it makes of photos. */
export function CheckList({ checks, wide }: { checks: readonly VersionCheck[]; wide: boolean }) {
  if (checks.length === 0) return null;
  const own = checks.filter(({ kind }) => kind !== 'photo');
  const photos = checks.filter(({ kind }) => kind === 'photo');
  return (
    <div className="grid gap-x-8 gap-y-4 border-t px-4 py-3 md:grid-cols-[minmax(0,16rem)_minmax(0,1fr)]">
      <ul aria-label="Checks" className="flex min-w-0 flex-col gap-1.5">
        {own.map((check) => (
          <Check key={check.kind} check={check} />
        ))}
      </ul>
      <ul
        aria-label="Checks on photos"
        className="grid grid-cols-[repeat(auto-fill,minmax(min(14rem,100%),1fr))] gap-x-6 gap-y-3"
      >
        {photos.map((check, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two photos may have one name, and their order stays.
          <Check key={at} check={check} wide={wide} />
        ))}
      </ul>
    </div>
  );
}

function Check({ check, wide = false }: { check: VersionCheck; wide?: boolean }) {
  return (
    <li className="flex min-w-0 items-start gap-2.5">
      {check.picture_url && (
        <img
          src={check.picture_url}
          alt=""
          className={`w-14 shrink-0 rounded-card object-cover ${wide ? 'aspect-[3/2]' : 'aspect-[2/3]'}`}
        />
      )}
      <div className="min-w-0">
        <p className="flex items-start gap-1.5">
          <OutcomeIcon outcome={check.outcome} />
          <span className="min-w-0 break-words">{titleOf(check)}</span>
        </p>
        {check.sentences.map((sentence) => (
          <p key={sentence} className="text-small text-ink-soft">
            {sentence}
          </p>
        ))}
      </div>
    </li>
  );
}

function titleOf({ kind, photo, outcome }: VersionCheck): string {
  if (photo !== null) return photo;
  return outcome === 'passed' ? passedWords[kind] : otherWords[kind];
}

const outcomes: Record<CheckOutcome, { label: string; Icon: typeof CircleCheck; className: string }> = {
  waiting: { label: 'Waiting', Icon: LoaderCircle, className: 'animate-spin text-ink-soft' },
  passed: { label: 'Passed', Icon: CircleCheck, className: 'text-good' },
  warned: { label: 'Note', Icon: CircleAlert, className: 'text-accent-ink' },
  failed: { label: 'Failed', Icon: CircleX, className: 'text-lost' },
};

function OutcomeIcon({ outcome }: { outcome: CheckOutcome }) {
  const { label, Icon, className } = outcomes[outcome];
  return (
    <>
      <Icon size={17} className={`mt-0.5 shrink-0 ${className}`} aria-hidden />
      <span className="sr-only">{label}: </span>
    </>
  );
}
