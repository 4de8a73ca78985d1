import { useState } from 'react';
import { BigButton } from '../../shared/big-button.tsx';
import { useTexts } from '../../shared/texts/texts.ts';
import { lockedSeconds, noteTry } from '../station/wrong-tries.ts';
import { GuestFrame } from './guest-frame.tsx';
import { NumberPad } from './number-pad.tsx';

interface CollectStepProps {
  collect(code: string): Promise<'ready' | 'waiting' | 'unknown'>;
  onStop(): void;
}

/** A guest who left before the photo was sent comes back with a number. */
export function CollectStep({ collect, onStop }: CollectStepProps) {
  const { collect: texts, station } = useTexts().booth;
  const [code, setCode] = useState('');
  const [notice, setNotice] = useState<string | null>(null);
  const open = async () => {
    setCode('');
    const locked = lockedSeconds('collect');
    if (locked > 0) return setNotice(station.lockedPin(locked));
    const found = await collect(code);
    noteTry('collect', found !== 'unknown');
    if (found !== 'ready') setNotice(found === 'waiting' ? texts.notYet : texts.unknown);
  };
  return (
    <GuestFrame
      title={texts.title}
      notice={notice}
      onStop={onStop}
      actions={
        <BigButton kind="primary" disabled={code.length < 4} onClick={open}>
          {texts.open}
        </BigButton>
      }
    >
      <div className="grid size-full place-items-center overflow-y-auto">
        <NumberPad value={code} most={4} label={texts.title} onChange={setCode} />
      </div>
    </GuestFrame>
  );
}
