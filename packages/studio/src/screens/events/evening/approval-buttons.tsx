import type { Approval, BoothEvent, EventJobEntry } from '@guise/contract/events/events.ts';
import { Check, Eye, EyeOff } from 'lucide-react';
import { IconButton } from '../../../ui/button.tsx';
import { say } from '../../../words/say.ts';

interface ApprovalButtonsProps {
  event: BoothEvent;
  job: EventJobEntry;
  /** What the picture is called. */
  name: string;
  onChange(approval: Approval): void;
}

/** Puts a picture on the wall, or hides it from wall and gallery. */
export function ApprovalButtons({ event, job, name, onChange }: ApprovalButtonsProps) {
  const { approval } = job;
  const isHidden = approval === 'hidden';
  const isApproved = approval === 'approved';
  return (
    <>
      {event.wall === 'approved' && (
        <IconButton
          label={
            isApproved ? say('Take back the approval of {name}', { name }) : say('Approve {name}', { name })
          }
          aria-pressed={isApproved}
          onClick={() => onChange(isApproved ? 'pending' : 'approved')}
          className={`bg-raised ${isApproved ? 'text-good' : ''}`}
        >
          <Check size={17} aria-hidden />
        </IconButton>
      )}
      <IconButton
        label={isHidden ? say('Show {name} again', { name }) : say('Hide {name}', { name })}
        aria-pressed={isHidden}
        onClick={() => onChange(isHidden ? 'pending' : 'hidden')}
        className="bg-raised"
      >
        {isHidden ? <Eye size={16} aria-hidden /> : <EyeOff size={16} aria-hidden />}
      </IconButton>
    </>
  );
}

/** Where a picture is shown, in words; nothing where the event shows none. */
export function showingWords({ wall, gallery }: BoothEvent, { approval, may_show }: EventJobEntry): string {
  if (wall === 'off' && gallery === 'off') return '';
  if (approval === 'hidden') return say('Hidden');
  const isAllowed = (wall !== 'off' && may_show.wall) || (gallery !== 'off' && may_show.gallery);
  if (!isAllowed) return say('Guest said no');
  return wall === 'approved' ? (approval === 'approved' ? say('Shown') : say('Not approved')) : say('Shown');
}
