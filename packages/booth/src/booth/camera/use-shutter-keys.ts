import { useEffect, useRef } from 'react';

/** Keyboards, remotes for presentations, and remotes for phones, which press the key for the volume. */
const always = new Set([
  'PageUp',
  'PageDown',
  'AudioVolumeUp',
  'AudioVolumeDown',
  'VolumeUp',
  'VolumeDown',
  'Camera',
]);
const unlessFocused = new Set([' ', 'Enter']);

/** Presses the shutter by key. Space and Enter belong to the button that has the focus, if there is one. */
export function useShutterKeys(onShutter: (() => void) | null): void {
  const shutter = useRef(onShutter);
  shutter.current = onShutter;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isFocused = document.activeElement?.closest('button, a, input, select') != null;
      const isMeant = always.has(event.key) || (unlessFocused.has(event.key) && !isFocused);
      if (!isMeant || event.repeat || !shutter.current) return;
      event.preventDefault();
      shutter.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
