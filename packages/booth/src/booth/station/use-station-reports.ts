import type { CameraState, NewStationReportInput } from '@guise/contract/events/stations.ts';
import { useEffect, useRef } from 'react';
import type { BoothApi } from '../guests/submit-photo.ts';

const everyMs = 30_000;
const longestMs = 8000;

/** Which build of the page this is: the name of its script has a hash. */
const [, pageVersion = ''] = /-([\w-]{8})\.js/.exec(import.meta.url) ?? [];

/** Sends a sign of life of this booth twice a minute. One that does not arrive is left out. */
export function useStationReports(api: BoothApi, read: () => NewStationReportInput): void {
  const report = useRef(read);
  report.current = read;
  useEffect(() => {
    const send = async () => {
      const said = { ...report.current(), page_version: pageVersion, camera: await readCameraState() };
      await api.report(said, AbortSignal.timeout(longestMs)).catch(() => {});
    };
    void send();
    const timer = setInterval(() => void send(), everyMs);
    return () => clearInterval(timer);
  }, [api]);
}

/** Whether there is a camera that this page may use, for the operator. */
async function readCameraState(): Promise<CameraState> {
  // Browsers have no cameras for pages that are not by https.
  if (!navigator.mediaDevices) return 'insecure';
  try {
    const { state } = await navigator.permissions.query({ name: 'camera' as PermissionName });
    if (state === 'denied') return 'denied';
  } catch {
    // A browser that does not tell: Firefox.
  }
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  return devices.some(({ kind }) => kind === 'videoinput') ? 'ready' : 'missing';
}
