import { type FormEvent, useState } from 'react';
import { BigButton } from '../../shared/big-button.tsx';
import { useTexts } from '../../shared/texts/texts.ts';
import { MessageScreen } from '../steps/message-screen.tsx';
import { hashPin, isPin } from './pin.ts';
import { type StationSetup, usualSetup } from './station.ts';
import { TextInput } from './text-input.tsx';

/** The operator names the booth and chooses the PIN, once for each device. */
export function SetupScreen({ onDone }: { onDone(setUp: StationSetup): void }) {
  const { station } = useTexts().booth;
  const [name, setName] = useState<string>(station.defaultName);
  const [pin, setPin] = useState('');
  const start = async (event: FormEvent) => {
    event.preventDefault();
    onDone({ ...usualSetup, name: name.trim(), pin: await hashPin(pin) });
  };
  return (
    <MessageScreen title={station.setupTitle}>
      <form onSubmit={start} className="flex w-full max-w-md flex-col gap-6 text-start">
        <TextInput label={station.name} value={name} onChange={setName} maxLength={100} />
        <TextInput
          label={station.pin}
          hint={station.pinHint}
          type="password"
          inputMode="numeric"
          value={pin}
          onChange={setPin}
          maxLength={8}
        />
        <BigButton kind="primary" type="submit" disabled={!isPin(pin) || name.trim() === ''}>
          {station.start}
        </BigButton>
      </form>
    </MessageScreen>
  );
}
