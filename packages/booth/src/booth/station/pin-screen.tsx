import { useState } from 'react';
import { BigButton } from '../../shared/big-button.tsx';
import { useTexts } from '../../shared/texts/texts.ts';
import { GuestFrame } from '../steps/guest-frame.tsx';
import { NumberPad } from '../steps/number-pad.tsx';
import { isPin, isPinOf } from './pin.ts';
import { lockedSeconds, noteTry } from './wrong-tries.ts';

interface PinScreenProps {
  pinHash: string;
  onStop(): void;
  onOpen(): void;
}

/** Asked of whoever wants to change or leave the booth. */
export function PinScreen({ pinHash, onStop, onOpen }: PinScreenProps) {
  const { station, next } = useTexts().booth;
  const [pin, setPin] = useState('');
  const [notice, setNotice] = useState<string | null>(null);
  const open = async () => {
    setPin('');
    const locked = lockedSeconds('pin');
    if (locked > 0) return setNotice(station.lockedPin(locked));
    const isRight = await isPinOf(pin, pinHash);
    noteTry('pin', isRight);
    if (isRight) onOpen();
    else setNotice(station.wrongPin);
  };
  return (
    <GuestFrame
      title={station.enterPin}
      notice={notice}
      onStop={onStop}
      actions={
        <BigButton kind="primary" disabled={!isPin(pin)} onClick={open}>
          {next}
        </BigButton>
      }
    >
      <div className="grid size-full place-items-center overflow-y-auto">
        <NumberPad value={pin} isSecret most={8} label={station.enterPin} onChange={setPin} />
      </div>
    </GuestFrame>
  );
}
