import { type ReactNode, useEffect, useId, useState } from 'react';
import { BigButton } from '../../shared/big-button.tsx';
import { useTexts } from '../../shared/texts/texts.ts';
import { GuestFrame } from '../steps/guest-frame.tsx';
import type { StationSetup } from './station.ts';
import { TextInput } from './text-input.tsx';

interface SettingsScreenProps {
  setUp: StationSetup;
  isOnline: boolean;
  waiting: number;
  prints: number;
  onChange(change: Partial<StationSetup>): void;
  onRemoveWaiting(): void;
  onClose(): void;
  onLeave(): void;
}

const idleChoices = [20, 30, 45, 60, 90, 120];

/** What the operator changes on this device, and the only way out of the booth. */
export function SettingsScreen(props: SettingsScreenProps) {
  const { setUp, isOnline, waiting, prints, onChange, onRemoveWaiting, onClose, onLeave } = props;
  const { station } = useTexts().booth;
  return (
    <GuestFrame
      title={station.settings}
      onStop={onClose}
      actions={
        <BigButton kind="primary" onClick={onClose}>
          {station.close}
        </BigButton>
      }
    >
      <div className="mx-auto flex h-full max-w-2xl flex-col gap-6 overflow-y-auto p-1">
        <p className="text-ink-soft">
          {[
            isOnline ? station.online : station.offline,
            station.waiting(waiting),
            station.prints(prints),
          ].join(' · ')}
        </p>
        <TextInput
          label={station.name}
          value={setUp.name}
          maxLength={100}
          onChange={(name) => name.trim() && onChange({ name })}
        />
        <CameraFields setUp={setUp} onChange={onChange} />
        {(['mirror', 'boomerang', 'sound', 'voice'] as const).map((name) => (
          <label key={name} className="flex min-h-16 items-center gap-4">
            <input
              type="checkbox"
              checked={setUp[name]}
              onChange={({ target }) => onChange({ [name]: target.checked })}
              className="size-8 shrink-0 accent-accent"
            />
            {station[name]}
          </label>
        ))}
        <Choice
          label={station.idle}
          value={String(setUp.idleSeconds)}
          options={idleChoices.map((seconds) => ({ value: String(seconds), label: `${seconds} s` }))}
          onChange={(seconds) => onChange({ idleSeconds: Number(seconds) })}
        />
        <div className="flex flex-wrap gap-4">
          {document.fullscreenEnabled && (
            <BigButton onClick={() => void document.documentElement.requestFullscreen()}>
              {station.fullScreen}
            </BigButton>
          )}
          {waiting > 0 && <BigButton onClick={onRemoveWaiting}>{station.removeWaiting}</BigButton>}
          <BigButton disabled={waiting > 0} onClick={onLeave}>
            {station.leave}
          </BigButton>
        </div>
        <Hint>
          {waiting > 0 ? `${station.leaveWaiting} ${station.removeWaitingHint}` : station.leaveHint}
        </Hint>
      </div>
    </GuestFrame>
  );
}

/** The camera of the mirror view, and the program that takes the photo in its place. */
function CameraFields({ setUp, onChange }: Pick<SettingsScreenProps, 'setUp' | 'onChange'>) {
  const { station } = useTexts().booth;
  const cameras = useCameras();
  return (
    <>
      <Choice
        label={station.camera}
        value={setUp.cameraId ?? ''}
        options={[
          { value: '', label: station.cameraDefault },
          ...cameras.map(({ deviceId, label }) => ({
            value: deviceId,
            label: label || deviceId.slice(0, 8),
          })),
        ]}
        onChange={(cameraId) => onChange({ cameraId: cameraId || null })}
      />
      <TextInput
        label={station.cameraProgram}
        hint={station.cameraProgramHint}
        dir="ltr"
        inputMode="url"
        value={setUp.cameraProgram}
        maxLength={100}
        onChange={(cameraProgram) => onChange({ cameraProgram: cameraProgram.trim() })}
      />
    </>
  );
}

function Hint({ children }: { children: ReactNode }) {
  return <p className="text-small text-ink-soft">{children}</p>;
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange(value: string): void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="min-h-16 rounded-card border bg-panel px-4"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The cameras of this device. Browsers name them after the page was once allowed to use one. */
function useCameras(): MediaDeviceInfo[] {
  const [cameras, setCameras] = useState<MediaDeviceInfo[]>([]);
  useEffect(() => {
    let isOver = false;
    const list = () =>
      navigator.mediaDevices?.enumerateDevices().then((devices) => {
        if (!isOver) setCameras(devices.filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId));
      });
    void list();
    navigator.mediaDevices?.addEventListener('devicechange', list);
    return () => {
      isOver = true;
      navigator.mediaDevices?.removeEventListener('devicechange', list);
    };
  }, []);
  return cameras;
}
