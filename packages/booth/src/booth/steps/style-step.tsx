import type { Ratio } from '@guise/contract/common.ts';
import type { Booth } from '@guise/contract/events/event-guests.ts';
import { Play, Sparkles } from 'lucide-react';
import { inLanguage, useLanguage, useTexts } from '../../shared/texts/texts.ts';
import { asksShape, type BoothOffer, offersFor } from '../event/offers.ts';
import type { Guest } from '../guests/guest.ts';
import { GuestFrame } from './guest-frame.tsx';
import { PreviewPicture } from './preview-picture.tsx';

interface StyleStepProps {
  booth: Booth;
  guest: Guest;
  notice: string | null;
  onBack?: (() => void) | undefined;
  onStop(): void;
  onRatio(ratio: Ratio): void;
  onChoose(offerId: string): void;
}

/** A wall of what can be made, as large as the screen allows. A touch chooses. */
export function StyleStep({ booth, guest, notice, onBack, onStop, onRatio, onChoose }: StyleStepProps) {
  const { style } = useTexts().booth;
  const offers = offersFor(booth, guest.who);
  const hasShapes = asksShape(booth, offers);
  return (
    <GuestFrame
      title={guest.job || notice ? style.again : style.title}
      notice={offers.length === 0 ? style.none : notice}
      onBack={onBack}
      onStop={onStop}
      actions={
        hasShapes && (
          <Shapes ratios={booth.ratios} chosen={guest.ratio ?? booth.ratios[0]!} onChoose={onRatio} />
        )
      }
    >
      <ul className="grid h-full auto-rows-max grid-flow-dense grid-cols-2 content-start gap-3 overflow-y-auto overscroll-contain pb-2 sm:gap-5 landscape:sm:grid-cols-4">
        {offers.map((offer) => (
          <li key={offer.id} className={isWide(offer) ? 'col-span-2' : ''}>
            <OfferCard offer={offer} onChoose={() => onChoose(offer.id)} />
          </li>
        ))}
      </ul>
    </GuestFrame>
  );
}

/** Pictures of groups, and paintings, keep the shape of a photo of several people. */
const isWide = ({ kind, preview_url }: BoothOffer) =>
  preview_url !== null && (kind === 'group' || kind === 'stylized');

const isMoving = ({ kind }: BoothOffer) => kind === 'video' || kind === 'living_portrait';

function OfferCard({ offer, onChoose }: { offer: BoothOffer; onChoose(): void }) {
  const language = useLanguage();
  const { style } = useTexts().booth;
  const label = inLanguage(offer.labels, language) ?? offer.id;
  const { shots, variations } = offer;
  const several = shots > 1 ? style.shots(shots) : variations > 0 ? style.variations(variations + 1) : null;
  const badge = isMoving(offer) ? style.video : several;
  return (
    <button
      type="button"
      onClick={onChoose}
      className={`relative block w-full overflow-hidden rounded-card bg-panel text-start select-none [container-type:size] active:scale-[0.98] ${isWide(offer) ? 'aspect-3/2' : 'aspect-2/3'}`}
    >
      {offer.preview_url ? (
        <PreviewPicture src={offer.preview_url} className="object-[50%_20%]" />
      ) : (
        <span className="absolute inset-0 grid place-items-center bg-linear-to-br from-accent to-panel text-on-accent">
          {isMoving(offer) ? (
            <Play size={96} strokeWidth={1.4} aria-hidden className="fill-current" />
          ) : (
            <Sparkles size={96} strokeWidth={1.4} aria-hidden />
          )}
        </span>
      )}
      <span
        aria-hidden
        className="absolute inset-x-0 bottom-0 h-2/5 bg-linear-to-t from-black/85 to-transparent"
      />
      <span className="absolute inset-x-0 bottom-0 p-4 text-base leading-tight font-semibold text-balance text-white hyphens-auto wrap-break-word">
        {label}
      </span>
      {badge && (
        <span className="absolute top-3 end-3 rounded-full bg-black/70 px-4 py-1.5 text-small text-white">
          {badge}
        </span>
      )}
    </button>
  );
}

interface ShapesProps {
  ratios: readonly Ratio[];
  chosen: Ratio;
  onChoose(ratio: Ratio): void;
}

function Shapes({ ratios, chosen, onChoose }: ShapesProps) {
  const { style } = useTexts().booth;
  return (
    <fieldset aria-label={style.shape} className="flex rounded-full bg-panel p-1.5 max-sm:w-full sm:gap-2">
      {ratios.map((ratio) => (
        <button
          key={ratio}
          type="button"
          aria-pressed={ratio === chosen}
          onClick={() => onChoose(ratio)}
          className="inline-flex min-h-16 flex-1 items-center justify-center gap-2 rounded-full px-2 text-small font-medium aria-pressed:bg-ink aria-pressed:text-ground sm:gap-3 sm:px-6 sm:text-base"
        >
          <span aria-hidden className={`rounded-[3px] border-2 border-current ${outlines[ratio]}`} />
          {style.shapes[ratio]}
        </button>
      ))}
    </fieldset>
  );
}

const outlines: Readonly<Record<Ratio, string>> = {
  portrait: 'h-6 w-4',
  landscape: 'h-4 w-6',
  square: 'size-5',
};
