import type { QaCell, Verdict } from '@guise/contract/qa-runs.ts';
import { Check, type LucideIcon, X } from 'lucide-react';
import { say } from '../../../words/say.ts';
import { isUnfinished } from './qa-cells.ts';

interface VerdictButtonsProps {
  cell: QaCell;
  onJudge(verdict: Verdict): void;
  /** Out of the order of the tab key, where the cell around takes the keys 1 and 2. */
  tabIndex?: number;
  /** With words beside the marks. */
  large?: boolean;
}

const verdicts: { verdict: Verdict; label: string; icon: LucideIcon; pressed: string }[] = [
  {
    verdict: 'good',
    label: say('Good'),
    icon: Check,
    pressed: 'aria-pressed:border-good aria-pressed:bg-good',
  },
  { verdict: 'bad', label: say('Bad'), icon: X, pressed: 'aria-pressed:border-lost aria-pressed:bg-lost' },
];

export function VerdictButtons({ cell, onJudge, tabIndex, large = false }: VerdictButtonsProps) {
  return verdicts.map(({ verdict, label, icon: Icon, pressed }) => (
    <button
      key={verdict}
      type="button"
      tabIndex={tabIndex}
      aria-pressed={cell.verdict === verdict}
      aria-label={large ? undefined : label}
      title={`${label} (${verdict === 'good' ? 1 : 2})`}
      disabled={isUnfinished(cell)}
      onClick={() => onJudge(verdict)}
      className={`inline-flex items-center justify-center gap-1.5 rounded-card border bg-raised text-ink-soft transition-colors hover:border-ink-soft hover:text-ink disabled:opacity-40 aria-pressed:text-ground ${pressed} ${large ? 'min-h-10 px-4 font-medium' : 'size-9 shrink-0'}`}
    >
      <Icon size={17} aria-hidden />
      {large && label}
    </button>
  ));
}
