import type { CheckOutcome } from '@guise/contract/filter-details.ts';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { say } from '../../words/say.ts';
import { FilterThumb } from '../aliases/filter-thumb.tsx';
import { CheckList, type DraftCheck, outcomeWords } from './check-list.tsx';

interface Checked {
  outcome: CheckOutcome | null;
  checks: readonly DraftCheck[];
}

interface Pictured {
  src: string | null;
  caption: string;
  /** Of a group: wide instead of upright. */
  isWide: boolean;
}

interface GoLiveDialogProps {
  title: string;
  /** The picture that guests get now, and the one that they get then. */
  pictures?: { now: Pictured; next: Pictured };
  /** What was checked; without it, it was live before. */
  checked?: Checked | undefined;
  /** Shows everything that was checked, with a way to check it anew. */
  onCheckAgain?(): Promise<unknown>;
  /** What changes for guests. */
  children?: ReactNode;
  onClose(): void;
  onConfirm(): Promise<unknown>;
}

/** Says what changes for guests and what was found, before something goes live. */
export function GoLiveDialog({
  title,
  pictures,
  checked,
  onCheckAgain,
  children,
  onClose,
  onConfirm,
}: GoLiveDialogProps) {
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const isUnchecked = checked !== undefined && (checked.outcome === 'waiting' || checked.outcome === null);
  const isWide = pictures?.next.isWide ?? false;
  const isFailed = checked?.outcome === 'failed';
  return (
    <Dialog open title={title} onClose={onClose}>
      <div className="flex flex-col gap-4">
        {pictures && (
          <div className="grid grid-cols-2 gap-3">
            <Picture {...pictures.now} />
            <Picture {...pictures.next} />
          </div>
        )}
        {children}
        {isUnchecked && (
          <p className="text-accent-ink">
            {say('The checks have not ended: nobody knows yet whether it works.')}
          </p>
        )}
        {checked &&
          (onCheckAgain ? (
            <CheckedAgain checked={checked} wide={isWide} onCheckAgain={onCheckAgain} />
          ) : (
            <Findings checked={checked} />
          ))}
        {confirm.error && <Problem error={confirm.error} />}
        <div className="flex justify-end gap-2">
          <Button kind="quiet" onClick={onClose}>
            {say('Not now')}
          </Button>
          <Button
            kind="primary"
            busy={confirm.isPending}
            disabled={isFailed}
            onClick={() => confirm.mutate()}
          >
            {say(isUnchecked ? 'Make live anyway' : 'Make live')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** What was found, where the whole list stands beside the draft. */
function Findings({ checked: { outcome, checks } }: { checked: Checked }) {
  const found = checks.filter((check) => check.outcome === 'warned' || check.outcome === 'failed');
  if (found.length === 0) return null;
  return (
    <ul
      aria-label={say('What the checks found')}
      className={outcome === 'failed' ? 'text-lost' : 'text-accent-ink'}
    >
      {found.flatMap(({ kind, photo, sentences }) =>
        sentences.map((sentence) => (
          <li key={`${kind} ${photo} ${sentence}`}>{photo === null ? sentence : `${photo}: ${sentence}`}</li>
        )),
      )}
    </ul>
  );
}

function CheckedAgain({
  checked,
  wide,
  onCheckAgain,
}: {
  checked: Checked;
  wide: boolean;
  onCheckAgain(): Promise<unknown>;
}) {
  const check = useMutation({ mutationFn: onCheckAgain });
  const outcome = checked.outcome ?? 'waiting';
  return (
    <div className="rounded-card border">
      <div className="flex items-center justify-between gap-2 px-4 py-2">
        <p role="status" className={`text-small ${outcome === 'failed' ? 'text-lost' : 'text-ink-soft'}`}>
          {outcomeWords[outcome]}
        </p>
        <Button
          className="min-h-9 text-small"
          busy={check.isPending}
          disabled={outcome === 'waiting'}
          onClick={() => check.mutate()}
        >
          {say('Check again')}
        </Button>
      </div>
      {check.error && <Problem error={check.error} />}
      <CheckList checks={checked.checks} wide={wide} />
    </div>
  );
}

function Picture({ src, caption, isWide }: Pictured) {
  return (
    <figure>
      <FilterThumb src={src} className={`w-full ${isWide ? 'aspect-[3/2]' : 'aspect-[2/3]'}`} />
      <figcaption className="mt-1 text-small text-ink-soft">{caption}</figcaption>
    </figure>
  );
}
