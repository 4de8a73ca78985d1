import type { Photo } from '../../photo/photo.ts';
import { Compare } from '../../ui/compare.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { say } from '../../words/say.ts';
import type { GuestRunState } from './use-guest-run.ts';

interface GuestPictureProps {
  state: GuestRunState;
  photo: Photo | undefined;
  preview: string | null;
  name: string;
}

/** As large as the screen allows: what the filter makes, then the guest's photo, then the guest's picture. */
export function GuestPicture({ state, photo, preview, name }: GuestPictureProps) {
  const size = 'max-h-[88dvh] max-lg:max-h-[58dvh]';
  if (state.step === 'done' && photo)
    return <Compare before={photo.url} after={state.picture} alt={say('Your picture')} size={size} />;
  const shown = photo?.url ?? preview;
  if (!shown) return <p className="py-20 text-ink-soft">{say('Your picture appears here.')}</p>;
  const isBusy = state.step === 'sending' || state.step === 'making';
  return (
    <div className="relative">
      <img
        src={shown}
        alt={photo ? say('Your photo') : say('What {name} makes', { name })}
        className={`block max-w-full rounded-card ${size} ${isBusy ? 'brightness-50' : ''}`}
      />
      {isBusy && (
        <div
          aria-live="polite"
          className="absolute inset-x-4 bottom-4 rounded-card bg-raised p-4 shadow-float"
        >
          <ProgressBar
            label={state.step === 'sending' ? say('Sending your photo') : say('Making your picture')}
            share={state.step === 'making' && state.share === 0 ? null : state.share}
          />
        </div>
      )}
    </div>
  );
}
