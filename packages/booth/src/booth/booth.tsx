import type { Booth as BoothAnswer } from '@guise/contract/events/event-guests.ts';
import type { EventBranding } from '@guise/contract/events/events.ts';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useBranding } from '../shared/branding.ts';
import { firstLanguage, SpokenContext, setPageLanguage, textsIn, useTexts } from '../shared/texts/texts.ts';
import { type BoothParts, openBooth } from './booth-parts.ts';
import { ClosedScreen } from './event/closed-screen.tsx';
import { languagesOf } from './event/offers.ts';
import { useBoothEvent } from './event/use-booth-event.ts';
import { GuestSteps } from './guest-steps.tsx';
import type { BoothGuests, BoothGuestsState } from './guests/booth-guests.ts';
import { jobsOf } from './guests/guest.ts';
import { readPrints } from './print/print-count.ts';
import { NoKeyScreen } from './station/no-key-screen.tsx';
import { PinScreen } from './station/pin-screen.tsx';
import { SettingsScreen } from './station/settings-screen.tsx';
import type { Station, StationSetup } from './station/station.ts';
import { useKeptAwake } from './station/use-kept-awake.ts';
import { useStationReports } from './station/use-station-reports.ts';
import { useStayOnPage } from './station/use-stay-on-page.ts';
import { AttractStep } from './steps/attract-step.tsx';
import { CollectStep } from './steps/collect-step.tsx';
import { MessageScreen } from './steps/message-screen.tsx';
import { StillThere } from './steps/still-there.tsx';
import { type FollowedPicture, useEventPictures, waitsForPicture } from './steps/use-event-picture.ts';
import { useIdle } from './steps/use-idle.ts';

interface BoothProps {
  station: Station & { setUp: StationSetup };
  onSetup(setUp: StationSetup): void;
  onStation(station: Station): void;
  onLeave(): void;
}

/** What is shown instead of the start: for guests who come back, and for the operator. */
type Aside = 'collect' | 'pin' | 'settings' | null;

const noBranding: EventBranding = {};

export function Booth(props: BoothProps) {
  const { station } = props;
  const { setUp } = station;
  const [parts] = useState(() => openBooth(station));
  const { api, guests } = parts;
  const state = useSyncExternalStore(guests.subscribe, guests.state);
  const { guest, hasRoom, unstored } = state;
  useEffect(() => {
    void guests.load();
  }, [guests]);
  const event = useBoothEvent(
    api,
    station.event,
    ({ offers }) => void guests.flush(new Set(offers.map(({ id }) => id))),
  );
  const { booth, connection } = event;
  const [aside, setAside] = useState<Aside>(null);
  const spoken = useSpokenLanguage(booth, guest?.language);

  const leave = async () => {
    setAside(null);
    spoken.onLanguage(undefined);
    await guests.leave();
  };
  const followed = useEventPictures(api, guest ? jobsOf(guest).map(({ id }) => id) : []);
  const [shown, setShown] = useState<string>();
  const waits = guest !== null && connection === 'online' && waitsForPicture(guest, followed, shown);
  const idleLeft = useIdle((guest !== null || aside !== null) && !waits, setUp.idleSeconds, leave);
  useKeptAwake();
  // Whoever chose a language and went on does not choose it for everybody after.
  const isLanguageLeft = guest === null && aside === null && spoken.isChosen;
  useIdle(isLanguageLeft, setUp.idleSeconds, () => spoken.onLanguage(undefined));
  useStayOnPage(unstored.size > 0);
  const isFull = useStorageLook(guests, connection === 'away', guest?.id) && !hasRoom;
  useBranding(booth?.branding ?? noBranding);
  useStationReports(api, () => ({
    station: station.id,
    name: setUp.name,
    waiting_photos: guests.state().waiting,
    prints: readPrints(station.event),
  }));
  const { language } = spoken;
  const screen = { ...props, ...event, state, parts, spoken, followed, isFull, aside, setAside };
  return (
    <SpokenContext value={{ language, texts: textsIn(language) }}>
      <BoothScreen {...screen} onShown={setShown} onGuestLeave={leave} />
      {idleLeft !== null && <StillThere seconds={idleLeft} />}
    </SpokenContext>
  );
}

/** The guest's language, or the one of the start: chosen there, else the browser's among those of the event. */
function useSpokenLanguage(booth: BoothAnswer | null, guestLanguage: string | undefined) {
  const [chosen, onLanguage] = useState<string>();
  const languages = booth ? languagesOf(booth) : [];
  const ownLanguage = chosen ?? firstLanguage(languages, navigator.languages);
  const language = guestLanguage ?? ownLanguage;
  useEffect(() => setPageLanguage(language), [language]);
  return { languages, ownLanguage, language, onLanguage, isChosen: chosen !== undefined };
}

interface BoothScreenProps extends BoothProps, ReturnType<typeof useBoothEvent> {
  state: BoothGuestsState;
  parts: BoothParts;
  spoken: ReturnType<typeof useSpokenLanguage>;
  followed: FollowedPicture;
  /** Whether the server is away and this device has no room for photos that wait. */
  isFull: boolean;
  aside: Aside;
  setAside(aside: Aside): void;
  onShown(id: string): void;
  onGuestLeave(): void;
}

function BoothScreen(props: BoothScreenProps) {
  const { station, booth, connection, refresh, state, parts, aside, onStation } = props;
  const { guest } = state;
  if (!state.isLoaded || (!booth && connection === 'unknown')) return null;
  if (aside === 'pin' || aside === 'settings') return <OperatorScreen {...props} />;
  if (connection === 'refused' && !guest) return <KeyRefused onStation={onStation} />;
  if (!booth) return <Away />;
  // A guest who has sent a photo gets the picture, whatever the event does meanwhile.
  if (guest && (booth.state === 'open' || guest.submission || guest.job))
    return (
      <GuestSteps
        booth={booth}
        guest={guest}
        photo={state.photo}
        followed={props.followed}
        isFull={props.isFull}
        isAway={connection === 'away'}
        isStored={!state.unstored.has(guest.id)}
        parts={parts}
        setUp={station.setUp}
        onRefresh={refresh}
        onShown={props.onShown}
        onLeave={props.onGuestLeave}
      />
    );
  return <StartScreen {...props} booth={booth} />;
}

/** While nobody uses the booth: the start, why there is none, or the numbers of guests who come back. */
function StartScreen(props: BoothScreenProps & { booth: BoothAnswer }) {
  const { booth, connection, state, parts, spoken, aside, setAside } = props;
  const { guests } = parts;
  const canCollect = state.uncollected > 0;
  const onCollect = () => setAside('collect');
  const onOperator = () => setAside('pin');
  const collect = async (code: string) => {
    const found = await guests.collect(code);
    if (found === 'ready') setAside(null);
    return found;
  };
  if (aside === 'collect') return <CollectStep collect={collect} onStop={() => setAside(null)} />;
  if (booth.state !== 'open')
    return (
      <ClosedScreen
        booth={booth}
        state={booth.state}
        onCollect={canCollect ? onCollect : null}
        onOperator={onOperator}
      />
    );
  return (
    <AttractStep
      booth={booth}
      languages={spoken.languages}
      isAway={connection === 'away'}
      isFull={props.isFull}
      waiting={state.waiting}
      canCollect={canCollect}
      onLanguage={spoken.onLanguage}
      onStart={() => void guests.start(spoken.ownLanguage)}
      onCollect={onCollect}
      onOperator={onOperator}
    />
  );
}

/** The PIN, and the settings behind it. */
function OperatorScreen(props: BoothScreenProps) {
  const { station, connection, state, parts, aside, setAside, onSetup, onLeave } = props;
  const { setUp } = station;
  const close = () => setAside(null);
  if (aside === 'pin')
    return <PinScreen pinHash={setUp.pin} onStop={close} onOpen={() => setAside('settings')} />;
  return (
    <SettingsScreen
      setUp={setUp}
      isOnline={connection === 'online'}
      waiting={state.waiting}
      prints={readPrints(station.event)}
      onChange={(change) => onSetup({ ...setUp, ...change })}
      onRemoveWaiting={() => void parts.guests.removeLeft()}
      onClose={close}
      // Of guests who never came back for their picture, nothing stays.
      onLeave={() => void parts.guests.removeLeft().then(onLeave)}
    />
  );
}

/** Looks for room before a photo is taken that may have to wait on this device. Says whether photos have to wait. */
function useStorageLook(guests: BoothGuests, isAway: boolean, guest: string | undefined): boolean {
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each guest.
  useEffect(() => {
    if (isAway) void guests.lookForRoom();
  }, [guests, isAway, guest]);
  return isAway;
}

function KeyRefused({ onStation }: { onStation(station: Station): void }) {
  const { station } = useTexts().booth;
  return <NoKeyScreen title={station.keyRefusedTitle} hint={station.keyRefused} onStation={onStation} />;
}

function Away() {
  const { station } = useTexts().booth;
  return <MessageScreen title={station.awayTitle} hint={station.away} />;
}
