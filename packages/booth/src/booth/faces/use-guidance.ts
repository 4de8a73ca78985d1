import { type RefObject, useEffect, useState } from 'react';
import { visiblePart } from '../camera/take-photo.ts';
import { faceFinder } from './face-finder.ts';
import { type Guidance, guidanceFor, peopleOf } from './guidance.ts';

/** How often the view is looked at: more often would only warm the tablet. */
const everyMs = 200;
/** A sentence is shown when two views in a row ask for it: a blink is not told. */
const steadyViews = 2;
/** The longer side of what is looked at, in pixels. */
const viewSide = 640;

export interface ViewGuidance {
  /** Null until something is known. */
  guidance: Guidance | null;
  people: number;
}

const nothing: ViewGuidance = { guidance: null, people: 0 };

/** Looks at what the camera shows as long as it is on, and says what the guest should do. */
export function useGuidance(
  video: RefObject<HTMLVideoElement | null>,
  { isOn, isGroup }: { isOn: boolean; isGroup: boolean },
): ViewGuidance {
  const [shown, setShown] = useState(nothing);
  useEffect(() => {
    if (!isOn) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    let [last, times] = ['', 0];
    const look = async () => {
      const view = await lookAt(video.current, isGroup).catch(() => null);
      if (isOver) return;
      if (view) {
        const name = `${view.guidance} ${view.people}`;
        times = name === last ? times + 1 : 1;
        last = name;
        if (times === steadyViews) setShown(view);
      }
      timer = setTimeout(look, everyMs);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
      setShown(nothing);
    };
  }, [video, isOn, isGroup]);
  return shown;
}

/** Looks at the part of the view that would be in the photo. */
async function lookAt(video: HTMLVideoElement | null, isGroup: boolean): Promise<ViewGuidance | null> {
  if (!video || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.clientHeight === 0)
    return null;
  const size = { width: video.videoWidth, height: video.videoHeight };
  const { x, y, width, height } = visiblePart(size, video.clientWidth / video.clientHeight);
  const scale = Math.min(1, viewSide / Math.max(width, height));
  const picture = await createImageBitmap(video, x, y, width, height, {
    resizeWidth: Math.max(1, Math.round(width * scale)),
    resizeHeight: Math.max(1, Math.round(height * scale)),
  });
  const found = await faceFinder().find({ picture, isThorough: false });
  if (!found) return null;
  return { guidance: guidanceFor(found, { width, height }, isGroup), people: peopleOf(found.faces).length };
}
