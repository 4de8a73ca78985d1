import type { Booth } from '@guise/contract/events/event-guests.ts';
import type { BoothEventState } from '@guise/contract/events/events.ts';
import { Lock, Ticket } from 'lucide-react';
import { BigButton, RoundButton } from '../../shared/big-button.tsx';
import { useLanguage, useTexts } from '../../shared/texts/texts.ts';
import { MessageScreen } from '../steps/message-screen.tsx';
import { formatTime } from './format-time.ts';

interface ClosedScreenProps {
  booth: Booth;
  state: Exclude<BoothEventState, 'open'>;
  /** Null where no guest left with a number. */
  onCollect: (() => void) | null;
  onOperator(): void;
}

/** Why nobody can have a picture now. It goes away by itself. */
export function ClosedScreen({ booth, state, onCollect, onOperator }: ClosedScreenProps) {
  const language = useLanguage();
  const { closed, attract } = useTexts().booth;
  const reason = state === 'erased' ? 'ended' : state;
  const hint =
    reason === 'planned'
      ? closed.plannedHint(formatTime(new Date(booth.starts_at), booth.time_zone, language))
      : closed[`${reason}Hint`];
  return (
    <MessageScreen
      title={closed[reason]}
      hint={hint}
      symbol={
        <p className="text-ink-soft">
          <bdi>{booth.name}</bdi>
        </p>
      }
    >
      {onCollect && (
        <BigButton icon={<Ticket size={26} aria-hidden />} onClick={onCollect}>
          {attract.collect}
        </BigButton>
      )}
      <RoundButton
        label={attract.operator}
        onClick={onOperator}
        className="absolute end-4 bottom-4 text-ink-soft"
      >
        <Lock size={22} aria-hidden />
      </RoundButton>
    </MessageScreen>
  );
}
