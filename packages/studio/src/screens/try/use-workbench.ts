import { useEffect, useRef, useState } from 'react';
import { useSession } from '../../app/session.tsx';
import { type Burst, noBurst } from '../../photo/burst.ts';
import type { Photo } from '../../photo/photo.ts';
import { firstChoice, type RunChoice } from './run-choice.ts';
import { readBenchPhotos, readWorkbench, writeBenchPhotos, writeWorkbench } from './workbench-store.ts';

/** What is chosen, which a page that is loaded anew still has: photos in this browser, results on the server. */
export function useWorkbench(
  shown: readonly string[],
  onRestore: (shown: string[], before?: string) => void,
) {
  const { id } = useSession().me;
  const [kept] = useState(() => readWorkbench(id));
  const [choice, setChoice] = useState<RunChoice>({ ...firstChoice, ...kept?.choice });
  const [photo, setPhoto] = useState<Photo>();
  const [lastFrame, setLastFrame] = useState<Photo>();
  const [burst, setBurst] = useState<Burst>(noBurst);
  const [isRestored, setRestored] = useState(false);
  const restore = useRef(onRestore);
  restore.current = onRestore;

  useEffect(() => {
    let isGone = false;
    void readBenchPhotos(id).then((photos) => {
      if (isGone) return;
      // Somebody may have chosen one meanwhile.
      setPhoto((now) => now ?? photos.photo);
      setLastFrame((now) => now ?? photos.lastFrame);
      setBurst((now) => (now === noBurst ? photos.burst : now));
      setRestored(true);
      if (kept && kept.shown.length > 0) restore.current(kept.shown, photos.photo?.url);
    });
    return () => {
      isGone = true;
    };
  }, [id, kept]);

  const shownKey = shown.join();
  useEffect(() => {
    if (isRestored) writeWorkbench(id, { choice, shown: shownKey ? shownKey.split(',') : [] });
  }, [id, isRestored, choice, shownKey]);
  useEffect(() => {
    if (isRestored) void writeBenchPhotos(id, { photo, lastFrame, burst });
  }, [id, isRestored, photo, lastFrame, burst]);

  return {
    choice,
    change: (next: Partial<RunChoice>) => setChoice((last) => ({ ...last, ...next })),
    photo,
    setPhoto,
    lastFrame,
    setLastFrame,
    burst,
    setBurst,
    /** Whether what this browser had kept is shown. */
    isRestored,
  };
}
