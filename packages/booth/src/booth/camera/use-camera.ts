import { showCamera } from '@guise/web/show-camera.ts';
import { type RefObject, useEffect, useState } from 'react';

export type CameraState = 'starting' | 'on' | 'none' | 'refused' | 'lost' | 'busy';

/** More than the engines use only makes the view slow. */
const wanted = { width: { ideal: 2048 }, height: { ideal: 1536 } };

/**
 * Shows the camera in a video while the component is there, and lets go of it afterwards. A camera that was
 * disconnected is opened again as soon as there is one.
 */
export function useCamera(video: RefObject<HTMLVideoElement | null>, cameraId: string | null) {
  const [state, setState] = useState<CameraState>('starting');
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt opens the camera anew.
  useEffect(() => {
    setState('starting');
    return showCamera(video, openCamera(cameraId), (is, reason) =>
      setState(is === 'failed' ? problemOf(reason) : is),
    );
  }, [cameraId, attempt, video]);

  const isBroken = state === 'none' || state === 'lost' || state === 'busy';
  useEffect(() => {
    if (!isBroken) return;
    const again = () => setAttempt((before) => before + 1);
    navigator.mediaDevices?.addEventListener('devicechange', again);
    return () => navigator.mediaDevices?.removeEventListener('devicechange', again);
  }, [isBroken]);

  return { state, retry: () => setAttempt((before) => before + 1) };
}

async function openCamera(cameraId: string | null): Promise<MediaStream> {
  if (!navigator.mediaDevices) throw new DOMException('', 'NotFoundError');
  const front = { video: { ...wanted, facingMode: 'user' } };
  if (!cameraId) return navigator.mediaDevices.getUserMedia(front);
  try {
    return await navigator.mediaDevices.getUserMedia({ video: { ...wanted, deviceId: { exact: cameraId } } });
  } catch (error) {
    // The chosen camera is not connected tonight: another is better than none.
    if (error instanceof DOMException && error.name === 'OverconstrainedError')
      return navigator.mediaDevices.getUserMedia(front);
    throw error;
  }
}

function problemOf(error: unknown): CameraState {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError') return 'refused';
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'none' : 'busy';
}
