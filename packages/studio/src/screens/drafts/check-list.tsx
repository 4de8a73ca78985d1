import type { AliasCheck } from '@guise/contract/aliases.ts';
import type { EventCheck } from '@guise/contract/events/event-drafts.ts';
import type { CheckOutcome } from '@guise/contract/filter-details.ts';
import { CircleAlert, CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import { say } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';

/** A check of a draft: of a filter's version, of a slot or of an event. */
export type DraftCheck = AliasCheck | EventCheck;

/** The state of a draft in a sentence. */
export const outcomeWords: Record<CheckOutcome, string> = {
  waiting: say('Checking…'),
  passed: say('All checks passed.'),
  warned: say('Checked. Read what was found before you make it live.'),
  failed: say('This draft cannot go live.'),
};

/** What is checked, in words for a check that passed and for one that did not. */
const words: Readonly<Record<DraftCheck['kind'], { passed: string; other: string }>> = {
  slot: { passed: say('It fits the slot'), other: say('The slot') },
  event: { passed: say('The event is complete'), other: say('The event') },
  filter: { passed: say('A filter'), other: say('A filter') },
  definition: { passed: say('The definition is complete'), other: say('The definition') },
  words: { passed: say('All words are understood'), other: say('Words') },
  engine: { passed: say('An engine can make it'), other: say('Engine') },
  photo: { passed: say('A photo'), other: say('A photo') },
  address: { passed: say('Address for guests'), other: say('Address for guests') },
  window: { passed: say('Times'), other: say('Times') },
  offers: { passed: say('Offers and engines'), other: say('Offers and engines') },
  overlays: { passed: say('Overlays'), other: say('Overlays') },
  labels: { passed: say('Languages'), other: say('Languages') },
  budget: { passed: say('Budget'), other: say('Budget') },
  storage: { passed: say('Storage'), other: say('Storage') },
  printer: { passed: say('Printer'), other: say('Printer') },
  mail: { passed: say('Mail'), other: say('Mail') },
  stations: { passed: say('Booths and cameras'), other: say('Booths and cameras') },
};

/** What was checked of a draft, each with what was found: what it says, then what it makes of photos. */
export function CheckList({ checks, wide }: { checks: readonly DraftCheck[]; wide: boolean }) {
  if (checks.length === 0) return null;
  const own = checks.filter(({ photo }) => photo === null);
  const photos = checks.filter(({ photo }) => photo !== null);
  return (
    <div className="@container border-t px-4 py-3">
      <div className="grid gap-x-8 gap-y-4 @2xl:grid-cols-[minmax(0,16rem)_minmax(0,1fr)]">
        <ul aria-label={say('Checks')} className="flex min-w-0 flex-col gap-1.5">
          {own.map((check) => (
            <Check key={check.kind} check={check} />
          ))}
        </ul>
        <ul
          aria-label={say('Checks on photos')}
          className="grid grid-cols-[repeat(auto-fill,minmax(min(14rem,100%),1fr))] gap-x-6 gap-y-3"
        >
          {photos.map((check, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two photos may have one name, and their order stays.
            <Check key={at} check={check} wide={wide} />
          ))}
        </ul>
      </div>
    </div>
  );
}

function Check({ check, wide = false }: { check: DraftCheck; wide?: boolean }) {
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
            {sayOfServer(sentence)}
          </p>
        ))}
      </div>
    </li>
  );
}

function titleOf({ kind, photo, outcome }: DraftCheck): string {
  if (photo !== null) return photo;
  return words[kind][outcome === 'passed' ? 'passed' : 'other'];
}

const outcomes: Record<CheckOutcome, { label: string; Icon: typeof CircleCheck; className: string }> = {
  waiting: { label: say('Waiting:'), Icon: LoaderCircle, className: 'animate-spin text-ink-soft' },
  passed: { label: say('Passed:'), Icon: CircleCheck, className: 'text-good' },
  warned: { label: say('Note:'), Icon: CircleAlert, className: 'text-accent-ink' },
  failed: { label: say('Failed:'), Icon: CircleX, className: 'text-lost' },
};

function OutcomeIcon({ outcome }: { outcome: CheckOutcome }) {
  const { label, Icon, className } = outcomes[outcome];
  return (
    <>
      <Icon size={17} className={`mt-0.5 shrink-0 ${className}`} aria-hidden />
      <span className="sr-only">{label} </span>
    </>
  );
}
