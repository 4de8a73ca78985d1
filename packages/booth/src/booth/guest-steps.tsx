import { base64Of } from '@guise/client/bytes.ts';
import type { Booth } from '@guise/contract/events/event-guests.ts';
import { useEffect, useRef, useState } from 'react';
import { BigButton } from '../shared/big-button.tsx';
import { useTexts } from '../shared/texts/texts.ts';
import type { BoothParts } from './booth-parts.ts';
import { checkPhotos } from './camera/check-photo.ts';
import { asksWho, offersFor, onlyOffer, serves, stripLayoutOf, takeFor, takenBy } from './event/offers.ts';
import type { GuestPhoto } from './guests/booth-guests.ts';
import { type Guest, jobsOf, type Refusal, type TakeKind } from './guests/guest.ts';
import { countPrint } from './print/print-count.ts';
import { printPicture, type WantedPrint } from './print/print-picture.ts';
import { queuePrint } from './print/queue-print.ts';
import { soundsOf } from './show/sounds.ts';
import type { StationSetup } from './station/station.ts';
import { ChooseStep } from './steps/choose-step.tsx';
import { ConsentStep } from './steps/consent-step.tsx';
import { DetailsStep } from './steps/details-step.tsx';
import { HandOverStep } from './steps/hand-over-step.tsx';
import { MessageScreen } from './steps/message-screen.tsx';
import { ResultStep } from './steps/result-step.tsx';
import { ReviewStep } from './steps/review-step.tsx';
import { ShootStep } from './steps/shoot-step.tsx';
import { StyleStep } from './steps/style-step.tsx';
import type { FollowedPicture } from './steps/use-event-picture.ts';
import { WhoStep } from './steps/who-step.tsx';

interface GuestStepsProps {
  booth: Booth;
  guest: Guest;
  photo: GuestPhoto | null;
  followed: FollowedPicture;
  /** Whether the server is away and this device has no room for photos that wait. */
  isFull: boolean;
  /** Whether the server does not answer. */
  isAway: boolean;
  /** Whether everything of this guest would survive a reload. */
  isStored: boolean;
  parts: BoothParts;
  setUp: StationSetup;
  /** Reads the event again: it is not what the guest was shown. */
  onRefresh(): void;
  /** The picture with this id is on the screen. */
  onShown(id: string): void;
  onLeave(): void;
}

/** The way of one guest, from the consent to the picture. */
export function GuestSteps(props: GuestStepsProps) {
  const { guest, followed, parts, onRefresh, onLeave } = props;
  const { guests } = parts;
  const isReady = guest.step === 'handOver' && !guest.submission && followed.picture?.status === 'COMPLETED';
  // The job that this guest was seen waiting for: its picture is revealed, one that a reload finds is just there.
  const waitedFor = useRef<string>(undefined);
  if (guest.step === 'handOver') waitedFor.current = guest.job?.id;
  useEffect(() => {
    if (isReady) void guests.change({ step: 'result' });
  }, [isReady, guests]);
  const isOutdated =
    guest.notice === 'offerGone' ||
    guest.notice === 'consentChanged' ||
    guest.notice === 'detailsChanged' ||
    (guest.obstacle === 'budget' && !guest.job);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each such answer of the server.
  useEffect(() => {
    if (isOutdated) onRefresh();
  }, [isOutdated]);

  if (guest.refusal) return <RefusalScreen refusal={guest.refusal} onLeave={onLeave} />;
  switch (guest.step) {
    case 'consent':
    case 'details':
    case 'who':
    case 'style':
      return <ChoiceSteps {...props} />;
    case 'shoot':
    case 'review':
      return <PhotoSteps {...props} />;
    case 'handOver':
    case 'result':
      return <PictureSteps {...props} waitedFor={waitedFor.current} />;
  }
}

/** The photos that the style is made of. */
const checkedOf = (photo: GuestPhoto, kind: TakeKind) => [
  photo,
  ...(kind === 'shots' ? photo.others.map((blob) => ({ blob, base64: base64Of(blob) })) : []),
];

/** The ways from one step to others. A chooser with one choice is left out. */
function movesOf({ booth, guest, photo, parts: { guests } }: GuestStepsProps) {
  const goTo = (next: Guest['step']) => void guests.change({ step: next, notice: null });
  /** To the photo that there is, unless the style needs more than that. */
  const photoStep = (offerId: string): Guest['step'] =>
    photo && serves(guest.taken, takeFor(booth, offerId).kind) ? 'review' : 'shoot';
  return {
    goTo,
    photoStep,
    toStyles(change: Partial<Guest>, who: Guest['who']) {
      const offer = onlyOffer(booth, who);
      const step = offer ? photoStep(offer.id) : 'style';
      void guests.change({ ...change, who, ...(offer && { offerId: offer.id }), step, notice: null });
    },
    /** After the consent, and what is asked for. */
    toChoices(change: Partial<Guest>) {
      if (photo && guest.offerId) void guests.change({ ...change, step: 'review', notice: null });
      else if (asksWho(booth)) void guests.change({ ...change, step: 'who', notice: null });
      else this.toStyles(change, null);
    },
    beforeChoices: () => goTo(booth.details.length > 0 ? 'details' : 'consent'),
    back() {
      if (!onlyOffer(booth, guest.who)) goTo('style');
      else if (asksWho(booth)) goTo('who');
      else this.beforeChoices();
    },
    retake: () => void guests.setPhotos(null),
  };
}

/** What the guest agrees to, who is in the photo, and what is made of it. */
function ChoiceSteps(props: GuestStepsProps) {
  const { booth, guest, parts, onLeave } = props;
  const moves = movesOf(props);
  const { goTo, photoStep } = moves;
  const { guests } = parts;
  const { style } = useTexts().booth;
  if (guest.step === 'consent')
    return (
      <ConsentStep
        key={booth.consent_version}
        booth={booth}
        hasChanged={guest.notice === 'consentChanged'}
        onStop={onLeave}
        onAgree={(consent) => {
          if (booth.details.length > 0) void guests.change({ consent, step: 'details', notice: null });
          else moves.toChoices({ consent });
        }}
      />
    );
  if (guest.step === 'details')
    return (
      <DetailsStep
        booth={booth}
        guest={guest}
        onBack={() => goTo('consent')}
        onStop={onLeave}
        onGiven={(details) => moves.toChoices({ details })}
      />
    );
  if (guest.step === 'who')
    return (
      <WhoStep
        booth={booth}
        onBack={moves.beforeChoices}
        onStop={onLeave}
        onChoose={(who) => moves.toStyles({}, who)}
      />
    );
  return (
    <StyleStep
      booth={booth}
      guest={guest}
      notice={guest.notice === 'offerGone' ? style.gone : null}
      onBack={asksWho(booth) ? () => goTo('who') : undefined}
      onStop={onLeave}
      onRatio={(ratio) => void guests.change({ ratio })}
      onChoose={(offerId) => void guests.change({ offerId, step: photoStep(offerId), notice: null })}
    />
  );
}

/** The photo is taken and looked at. One that is not there any more is taken again. */
function PhotoSteps(props: GuestStepsProps) {
  const { booth, guest, photo, isFull, parts, setUp, onLeave } = props;
  const moves = movesOf(props);
  const { goTo, retake, toStyles } = moves;
  const back = () => moves.back();
  const { guests, api } = parts;
  const take = takeFor(booth, guest.offerId);
  const { shoot, problems } = useTexts().booth;
  const takes = takenBy(booth, guest.offerId);
  const toOthers = asksWho(booth) ? () => toStyles({}, guest.who === 'group' ? 'one' : 'group') : null;
  if (guest.step === 'review' && photo)
    return (
      <ReviewStep
        key={guest.offerId}
        photos={take.kind === 'shots' ? photo.all : [photo.url]}
        check={() =>
          checkPhotos(api, props.isAway, {
            photos: checkedOf(photo, take.kind),
            offerId: guest.offerId ?? '',
            takes,
          })
        }
        onBack={back}
        onStop={onLeave}
        onRetake={retake}
        takes={takes}
        onOtherStyles={toOthers}
        onUse={() => void guests.accept(take)}
      />
    );
  return (
    <ShootStep
      isGroup={guest.who === 'group'}
      onGroupStyles={takes === 'one' ? toOthers : null}
      setUp={setUp}
      take={take}
      hasMoments={booth.moments}
      notice={guest.notice === 'photoRefused' ? problems.photo : isFull ? shoot.full : null}
      onBack={isRetake(props) ? () => goTo('result') : back}
      onStop={onLeave}
      onShots={({ photos, frames }) => void guests.setPhotos(photos, take.kind, frames)}
    />
  );
}

/** The picture is being made, and is there. */
function PictureSteps(props: GuestStepsProps & { waitedFor: string | undefined }) {
  const choice = useVariationChoice(props);
  const { booth, guest, photo, followed, isAway, isStored, parts, onShown, onLeave } = props;
  const { picture } = followed;
  const hasOthers = offersFor(booth, guest.who).some(({ id }) => id !== guest.offerId);
  const again =
    photo && hasOthers
      ? () => void parts.guests.change({ step: 'style', notice: null, submission: null, obstacle: null })
      : null;
  if (guest.step === 'handOver')
    return (
      <HandOverStep
        guest={guest}
        photo={photo}
        followed={followed}
        isAway={isAway}
        isStored={isStored}
        onRetake={movesOf(props).retake}
        onAgain={booth.state === 'open' ? again : null}
        onLeave={onLeave}
      />
    );
  if (choice.isOpen) return <ChooseStep pictures={followed.ready} onChoose={choice.choose} />;
  const left = guest.job?.pictures_left ?? null;
  const mayHaveMore = left === null || left > 0;
  return (
    <ResultStep
      guest={guest}
      photo={photo?.url ?? null}
      picture={picture}
      strip={guest.made === 'shots' ? followed.ready : []}
      thanks={booth.texts}
      isFresh={props.waitedFor === guest.job?.id || choice.isMade}
      onReveal={() => soundsOf(props.setUp.sound).reveal()}
      onShown={() => picture && onShown(picture.id)}
      onPrint={async (signal) => {
        const print = booth.prints ? queuePrint : printPicture;
        await print(parts.api, printOf(props), signal);
        countPrint(parts.event);
      }}
      onAgain={mayHaveMore ? again : null}
      onRetake={mayHaveMore && canImprove(props) ? () => movesOf(props).goTo('shoot') : null}
      onLeave={onLeave}
    />
  );
}

/** The guest's choice among several pictures of one photo. Where one alone could be made, that is chosen. */
function useVariationChoice({ guest, followed: { ready, isOver }, parts }: GuestStepsProps) {
  const [isMade, setMade] = useState(false);
  const mayChoose = guest.step === 'result' && guest.made === 'variations';
  const choose = async (id: string) => {
    await parts.api.choose(id);
    const job = jobsOf(guest).find((one) => one.id === id)!;
    setMade(true);
    await parts.guests.change({ job, further: [], made: 'one' });
  };
  const only = mayChoose && isOver && ready.length === 1 ? ready[0]!.id : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each such picture.
  useEffect(() => {
    if (only) void choose(only).catch(() => {});
  }, [only]);
  return { isMade, isOpen: mayChoose && (!isOver || ready.length > 1), choose };
}

/** The picture on the screen, or all of a strip in their order. */
function printOf({ booth, guest, followed }: GuestStepsProps): WantedPrint {
  const [first, ...others] = followed.ready.map(({ id }) => id);
  if (others.length === 0) return { jobIds: [first ?? guest.job!.id], layout: undefined };
  return { jobIds: [first!, ...others], layout: stripLayoutOf(booth) };
}

/** Whether the photo is taken again for a picture that is there: its guest may as well go back to it. */
function isRetake({ guest, followed: { picture } }: GuestStepsProps): boolean {
  return picture?.status === 'COMPLETED' && picture.offer_id === guest.offerId;
}

/** Whether another photo may give a better picture, and the event still offers the style of this one. */
function canImprove({ booth, followed: { picture } }: GuestStepsProps): boolean {
  const isOffered = booth.state === 'open' && booth.offers.some(({ id }) => id === picture?.offer_id);
  return picture?.quality?.grade === 'fair' && isOffered;
}

function RefusalScreen({ refusal, onLeave }: { refusal: Refusal; onLeave(): void }) {
  const { closed, result } = useTexts().booth;
  const title = refusal === 'limit' ? result.limit : closed[refusal];
  return (
    <MessageScreen title={title} hint={closed.notKept}>
      <BigButton kind="primary" onClick={onLeave}>
        {result.done}
      </BigButton>
    </MessageScreen>
  );
}
