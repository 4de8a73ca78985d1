import { keepText } from '../keep-text.ts';

/** What this device knows of itself: which event it serves, and how it is set up. */
export interface Station {
  /** Of this device, for the operator's list of booths. */
  id: string;
  event: string;
  /** The key of the event, which can do nothing but what booths do. */
  key: string;
  /** Null until the operator has set the booth up. */
  setUp: StationSetup | null;
}

export interface StationSetup {
  name: string;
  /** See pin.ts: the PIN itself is not stored. */
  pin: string;
  cameraId: string | null;
  /** Where a program of this machine takes photos in place of the browser's camera; empty for none. */
  cameraProgram: string;
  mirror: boolean;
  idleSeconds: number;
  /** Sounds of the countdown, the shutter and the picture. */
  sound: boolean;
  /** Whether the countdown is spoken. */
  voice: boolean;
  /** Whether quick shots follow each photo, for a moving picture at once. */
  boomerang: boolean;
}

/** What a booth does unless its operator changes it. */
export const usualSetup = {
  cameraId: null,
  cameraProgram: '',
  mirror: true,
  idleSeconds: 45,
  sound: true,
  voice: false,
  // The five shots take 1.6 s, and a guest's code comes after them.
  boomerang: false,
} satisfies Partial<StationSetup>;

const place = 'guise-booth';

export function readStation(): Station | null {
  try {
    const station = JSON.parse(localStorage.getItem(place) ?? 'null') as Station | null;
    // A device that was set up by an earlier version lacks some.
    return station && { ...station, setUp: station.setUp && { ...usualSetup, ...station.setUp } };
  } catch {
    return null;
  }
}

export function writeStation(station: Station | null): void {
  keepText(place, station && JSON.stringify(station));
}

/**
 * The station of this address. A key that the address brings in its fragment is stored and taken out of the address at
 * once, so that nobody reads it there; a device that served the same event stays set up.
 */
export function openStation(): Station | null {
  const known = readStation();
  const [, event] = /^\/booth\/([^/]+)/.exec(location.pathname) ?? [];
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (event === undefined) {
    if (known) history.replaceState(null, '', `/booth/${known.event}`);
    return known;
  }
  if (!key) return known?.event === event ? known : null;
  history.replaceState(null, '', location.pathname);
  const station = { id: known?.id ?? crypto.randomUUID(), event, key, setUp: known?.setUp ?? null };
  writeStation(station);
  return station;
}

/** Reads what an operator pasted: the link of a booth, or a key where the address says which event. */
export function stationOfLink(text: string): Station | null {
  const trimmed = text.trim();
  const [, event] = /^\/booth\/([^/]+)/.exec(location.pathname) ?? [];
  const [, linkEvent, linkKey] = /\/booth\/([^/#?\s]+)#(?:.*&)?key=([^&\s]+)$/.exec(trimmed) ?? [];
  const known = readStation();
  const own = { id: known?.id ?? crypto.randomUUID(), setUp: known?.setUp ?? null };
  if (linkEvent && linkKey) return { ...own, event: linkEvent, key: decodeURIComponent(linkKey) };
  if (event && /^[\w-]{16,200}$/.test(trimmed)) return { ...own, event, key: trimmed };
  return null;
}
