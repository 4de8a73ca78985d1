import { showCamera } from '@guise/web/show-camera.ts';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { say } from '../words/say.ts';
import { type Photo, photoOfVideo } from './photo.ts';

interface CameraDialogProps {
  onClose(): void;
  onPhoto(photo: Photo): void;
}

export function CameraDialog({ onClose, onPhoto }: CameraDialogProps) {
  return (
    <Dialog open title={say('Take a photo')} onClose={onClose} wide>
      <CameraView onClose={onClose} onPhoto={onPhoto} />
    </Dialog>
  );
}

function CameraView({ onClose, onPhoto }: CameraDialogProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<'starting' | 'on' | { problem: string }>('starting');

  useEffect(
    () =>
      showCamera(video, openCamera(), (is, reason) =>
        setState(
          is === 'on'
            ? is
            : { problem: is === 'lost' ? say('The camera was disconnected.') : problemOf(reason) },
        ),
      ),
    [],
  );

  const shoot = async () => {
    onPhoto(await photoOfVideo(video.current!));
    onClose();
  };
  if (typeof state === 'object')
    return (
      <p role="alert" className="py-8 text-center text-lost">
        {state.problem}
      </p>
    );
  return (
    <div className="flex flex-col items-center gap-4">
      {/* A preview that is not mirrored makes people move the wrong way. */}
      <video
        ref={video}
        muted
        playsInline
        className="max-h-[65dvh] w-full -scale-x-100 rounded-card bg-black"
      />
      <Button kind="primary" disabled={state !== 'on'} onClick={shoot} autoFocus>
        {state === 'on' ? say('Take the photo') : say('Starting the camera…')}
      </Button>
    </div>
  );
}

function openCamera(): Promise<MediaStream> {
  if (!navigator.mediaDevices) {
    return Promise.reject(new Error(say('The camera works over https or on this machine only.')));
  }
  return navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'user', width: { ideal: 1920 }, height: { ideal: 1440 } },
  });
}

function problemOf(error: unknown): string {
  if (!(error instanceof DOMException))
    return error instanceof Error ? error.message : say('The camera cannot be used.');
  if (error.name === 'NotAllowedError')
    return say('This page may not use the camera. Allow it in the browser’s settings for this page.');
  if (error.name === 'NotFoundError') return say('No camera was found. Connect one, or choose a photo.');
  return say('The camera cannot be used. Another program may be using it.');
}
