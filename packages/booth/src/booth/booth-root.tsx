import { useLayoutEffect, useState } from 'react';
import { SpokenContext, setPageLanguage, textsIn } from '../shared/texts/texts.ts';
import { Booth } from './booth.tsx';
import { NoKeyScreen } from './station/no-key-screen.tsx';
import { SetupScreen } from './station/setup-screen.tsx';
import { openStation, type Station, type StationSetup, writeStation } from './station/station.ts';
import { MessageScreen } from './steps/message-screen.tsx';

/** What there is before the first guest: a secure page, a key, a name and a PIN. */
export function BoothRoot() {
  const [station, setStation] = useState(() => (window.isSecureContext ? openStation() : null));
  const language = navigator.language;
  const texts = textsIn(language);
  useLayoutEffect(() => setPageLanguage(navigator.language), []);
  const change = (changed: Station | null) => {
    writeStation(changed);
    setStation(changed);
    if (changed) history.replaceState(null, '', `/booth/${changed.event}`);
  };
  const leave = () => {
    change(null);
    location.assign('/');
  };
  return (
    <SpokenContext value={{ language, texts }}>
      {!window.isSecureContext ? (
        <MessageScreen title={texts.booth.station.insecureTitle} hint={texts.booth.station.insecure} />
      ) : !station ? (
        <NoKeyScreen
          title={texts.booth.station.noKeyTitle}
          hint={texts.booth.station.noKey}
          onStation={change}
        />
      ) : !station.setUp ? (
        <SetupScreen onDone={(setUp) => change({ ...station, setUp })} />
      ) : (
        // Another key is another connection, another event another store.
        <Booth
          key={`${station.event} ${station.key}`}
          station={{ ...station, setUp: station.setUp }}
          onSetup={(setUp: StationSetup) => change({ ...station, setUp })}
          onStation={change}
          onLeave={leave}
        />
      )}
    </SpokenContext>
  );
}
