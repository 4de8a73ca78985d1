import { type FormEvent, useState } from 'react';
import { BigButton } from '../../shared/big-button.tsx';
import { useTexts } from '../../shared/texts/texts.ts';
import { MessageScreen } from '../steps/message-screen.tsx';
import { type Station, stationOfLink } from './station.ts';
import { TextInput } from './text-input.tsx';

interface NoKeyScreenProps {
  title: string;
  hint: string;
  onStation(station: Station): void;
}

/** A device without a key, or with one that is not valid any more: the operator pastes the link. */
export function NoKeyScreen({ title, hint, onStation }: NoKeyScreenProps) {
  const { station: texts } = useTexts().booth;
  const [link, setLink] = useState('');
  const [isBad, setBad] = useState(false);
  const open = (event: FormEvent) => {
    event.preventDefault();
    const station = stationOfLink(link);
    setBad(!station);
    if (station) onStation(station);
  };
  return (
    <MessageScreen title={title} hint={hint}>
      <form onSubmit={open} className="flex w-full max-w-xl flex-col gap-4 text-start">
        <TextInput label={texts.link} value={link} onChange={setLink} spellCheck={false} />
        {isBad && <p role="alert">{texts.badLink}</p>}
        <BigButton kind="primary" type="submit" disabled={link.trim() === ''}>
          {texts.open}
        </BigButton>
      </form>
    </MessageScreen>
  );
}
