import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

interface CameraViewProps {
  video: RefObject<HTMLVideoElement | null>;
  isMirror: boolean;
  /** A group needs everything that the camera sees; one person is better framed by a calmer shape. */
  isGroup: boolean;
}

/** One person in front of a wide camera: not wider than 4:3, not narrower than 3:4. */
const widest = 4 / 3;
const narrowest = 3 / 4;

/** The camera as large as its place allows. What is not seen is not in the photo. */
export function CameraView({ video, isMirror, isGroup }: CameraViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const [cameraShape, setCameraShape] = useState(widest);
  const [room, setRoom] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setRoom({ width, height });
    });
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  const roomShape = room.width / Math.max(1, room.height);
  const shape = isGroup ? cameraShape : clamp(roomShape, narrowest, Math.max(narrowest, widest));
  const width = Math.min(room.width, room.height * shape);
  return (
    <div ref={place} className="grid size-full place-items-center overflow-hidden">
      <video
        ref={video}
        muted
        playsInline
        onResize={({ currentTarget: { videoWidth, videoHeight } }) =>
          setCameraShape(videoWidth / Math.max(1, videoHeight))
        }
        style={{ width, height: width / shape }}
        className={`rounded-card bg-black object-cover ${isMirror ? '-scale-x-100' : ''}`}
      />
    </div>
  );
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
