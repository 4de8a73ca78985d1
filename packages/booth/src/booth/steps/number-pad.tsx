import { Delete } from 'lucide-react';
import { useTexts } from '../../shared/texts/texts.ts';

interface NumberPadProps {
  value: string;
  /** Shown as dots. */
  isSecret?: boolean;
  most: number;
  label: string;
  onChange(value: string): void;
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '', '0'] as const;

/** Digits for fingers: the keyboard of a tablet would hide half of the screen. */
export function NumberPad({ value, isSecret = false, most, label, onChange }: NumberPadProps) {
  const { station } = useTexts().booth;
  const add = (digit: string) => value.length < most && onChange(value + digit);
  return (
    <div className="flex flex-col items-center gap-5">
      <input
        aria-label={label}
        type={isSecret ? 'password' : 'text'}
        inputMode="none"
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value.replaceAll(/\D/g, '').slice(0, most))}
        className="h-20 w-[min(80vw,24rem)] rounded-card border bg-panel text-center text-title tracking-[0.2em]"
      />
      <div dir="ltr" className="grid grid-cols-3 gap-3">
        {digits.map((digit) =>
          digit === '' ? (
            <span key="space" />
          ) : (
            <button
              key={digit}
              type="button"
              onClick={() => add(digit)}
              className="size-[max(4.5rem,min(9vmin,12vh))] rounded-full border bg-panel text-title font-medium select-none active:scale-95"
            >
              {digit}
            </button>
          ),
        )}
        <button
          type="button"
          aria-label={station.erase}
          onClick={() => onChange(value.slice(0, -1))}
          className="grid size-[max(4.5rem,min(9vmin,12vh))] place-items-center rounded-full select-none active:scale-95"
        >
          <Delete size={32} aria-hidden />
        </button>
      </div>
    </div>
  );
}
