import type { Booth } from '@guise/contract/events/event-guests.ts';
import { User, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '../../shared/texts/texts.ts';
import { GuestFrame } from './guest-frame.tsx';
import { PreviewPicture } from './preview-picture.tsx';

interface WhoStepProps {
  booth: Booth;
  onBack(): void;
  onStop(): void;
  onChoose(who: 'one' | 'group'): void;
}

/** One person or a group: what can be chosen next depends on it. */
export function WhoStep({ booth, onBack, onStop, onChoose }: WhoStepProps) {
  const { who } = useTexts().booth;
  const pictureOf = (kind: 'single' | 'group') =>
    booth.offers.find((offer) => offer.kind === kind && offer.preview_url)?.preview_url ?? null;
  return (
    <GuestFrame title={who.title} onBack={onBack} onStop={onStop}>
      <div className="mx-auto grid h-full max-w-6xl grid-rows-2 gap-4 landscape:grid-cols-[2fr_3fr] landscape:grid-rows-1">
        <WhoCard
          label={who.one}
          picture={pictureOf('single')}
          icon={<User size={44} aria-hidden />}
          onClick={() => onChoose('one')}
        />
        <WhoCard
          label={who.group}
          picture={pictureOf('group')}
          icon={<Users size={44} aria-hidden />}
          onClick={() => onChoose('group')}
        />
      </div>
    </GuestFrame>
  );
}

interface WhoCardProps {
  label: string;
  picture: string | null;
  icon: ReactNode;
  onClick(): void;
}

function WhoCard({ label, picture, icon, onClick }: WhoCardProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="relative min-h-0 overflow-hidden rounded-card bg-black text-white [container-type:size] select-none active:scale-[0.99]"
    >
      {picture && <PreviewPicture src={picture} className="object-[50%_48%]" />}
      <span
        aria-hidden
        className="absolute inset-0 bg-linear-to-t from-black/85 via-black/25 via-50% to-transparent"
      />
      <span className="absolute inset-x-0 bottom-0 flex items-center justify-center gap-4 p-6 text-title leading-tight font-semibold wrap-break-word">
        {icon}
        {label}
      </span>
    </button>
  );
}
