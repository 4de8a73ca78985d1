import type { EventBranding } from '@guise/contract/events/events.ts';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useBranding } from '../shared/branding.ts';
import { firstLanguage, SpokenContext, textsIn, useTexts } from '../shared/texts/texts.ts';
import { openBooth } from './booth-parts.ts';
import { ClosedScreen } from './event/closed-screen.tsx';
import { languagesOf } from './event/offers.ts';
import { useBoothEvent } from './event/use-booth-event.ts';
import { GuestSteps } from './guest-steps.tsx';
import type { BoothGuests } from './guests/booth-guests.ts';
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
import { useEventPicture, waitsForPicture } from './steps/use-event-picture.ts';
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

export function Booth({ station, onSetup, onStation, onLeave }: BoothProps) {
  const { setUp } = station;
  const [parts] = useState(() => openBooth(station));
  const { api, guests } = parts;
  const state = useSyncExternalStore(guests.subscribe, guests.state);
  const { isLoaded, guest, photo, waiting, uncollected, hasRoom, unstored } = state;
  useEffect(() => {
    void guests.load();
  }, [guests]);
  const { booth, connection, refresh } = useBoothEvent(
    api,
    station.event,
    ({ offers }) => void guests.flush(new Set(offers.map(({ id }) => id))),
  );
  const [aside, setAside] = useState<Aside>(null);
  const [chosenLanguage, setLanguage] = useState<string>();
  const languages = booth ? languagesOf(booth) : [];
  const ownLanguage = chosenLanguage ?? firstLanguage(languages, navigator.languages);
  const language = guest?.language ?? ownLanguage;
  const texts = textsIn(language);

  const leave = async () => {
    setAside(null);
    setLanguage(undefined);
    await guests.leave();
  };
  const followed = useEventPicture(api, guest?.job?.id);
  const [shown, setShown] = useState<string>();
  const waits = guest !== null && connection === 'online' && waitsForPicture(guest, followed, shown);
  const idleLeft = useIdle((guest !== null || aside !== null) && !waits, setUp.idleSeconds, leave);
  useKeptAwake();
  useStayOnPage(unstored.size > 0);
  const isFull = useStorageLook(guests, connection === 'away', guest?.id) && !hasRoom;
  useBranding(booth?.branding ?? noBranding);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useStationReports(api, () => ({
    station: station.id,
    name: setUp.name,
    waiting_photos: guests.state().waiting,
    prints: readPrints(station.event),
  }));

  const screen = () => {
    if (!isLoaded || (!booth && connection === 'unknown')) return null;
    if (aside === 'pin')
      return (
        <PinScreen pinHash={setUp.pin} onStop={() => setAside(null)} onOpen={() => setAside('settings')} />
      );
    if (aside === 'settings')
      return (
        <SettingsScreen
          setUp={setUp}
          isOnline={connection === 'online'}
          waiting={waiting}
          prints={readPrints(station.event)}
          onChange={(change) => onSetup({ ...setUp, ...change })}
          onRemoveWaiting={() => void guests.removeLeft()}
          onClose={() => setAside(null)}
          onLeave={onLeave}
        />
      );
    if (connection === 'refused' && !guest) return <KeyRefused onStation={onStation} />;
    if (!booth) return <Away />;
    // A guest who has sent a photo gets the picture, whatever the event does meanwhile.
    if (guest && (booth.state === 'open' || guest.submission || guest.job))
      return (
        <GuestSteps
          booth={booth}
          guest={guest}
          photo={photo}
          followed={followed}
          isFull={isFull}
          isAway={connection === 'away'}
          isStored={!unstored.has(guest.id)}
          parts={parts}
          setUp={setUp}
          onRefresh={refresh}
          onShown={setShown}
          onLeave={leave}
        />
      );
    if (aside === 'collect')
      return <CollectStep collect={(code) => collect(code)} onStop={() => setAside(null)} />;
    if (booth.state !== 'open')
      return (
        <ClosedScreen
          booth={booth}
          state={booth.state}
          onCollect={uncollected > 0 ? () => setAside('collect') : null}
          onOperator={() => setAside('pin')}
        />
      );
    return (
      <AttractStep
        booth={booth}
        languages={languages}
        isAway={connection === 'away'}
        isFull={isFull}
        waiting={waiting}
        canCollect={uncollected > 0}
        onLanguage={setLanguage}
        onStart={() => void guests.start(ownLanguage)}
        onCollect={() => setAside('collect')}
        onOperator={() => setAside('pin')}
      />
    );
  };
  const collect = async (code: string) => {
    const found = await guests.collect(code);
    if (found === 'ready') setAside(null);
    return found;
  };
  return (
    <SpokenContext value={{ language, texts }}>
      {screen()}
      {idleLeft !== null && <StillThere seconds={idleLeft} />}
    </SpokenContext>
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
