import type { JobListEntry } from '@guise/contract/jobs.ts';
import { useEffect, useMemo, useState } from 'react';

/** So many pictures are looked at. */
const sample = 12;
const tallest = 3 / 2;
const widest = 2 / 3;

/**
 * Height to width of the room that each picture of a gallery gets: that of the tallest of the first ones, so that a wall of
 * landscapes has no room for portraits, and one without pictures is flat. Once it is known it stays: nothing moves.
 */
export function usePictureShape(jobs: readonly JobListEntry[]): number {
  const [shape, setShape] = useState<number>();
  const first = useMemo(() => firstPictures(jobs).join(' '), [jobs]);
  useEffect(() => {
    if (shape !== undefined || first === '') return;
    let isCurrent = true;
    Promise.all(first.split(' ').map(shapeOf)).then((shapes) => {
      if (isCurrent) setShape(Math.min(tallest, Math.max(widest, ...shapes)));
    });
    return () => {
      isCurrent = false;
    };
  }, [first, shape]);
  return shape ?? (jobs.length > 0 && first === '' ? widest : tallest);
}

function firstPictures(jobs: readonly JobListEntry[]): string[] {
  return jobs
    .slice(0, 2 * sample)
    .flatMap((job) => job.thumbnail_url ?? [])
    .slice(0, sample);
}

/** A picture that cannot be loaded has no shape. */
async function shapeOf(url: string): Promise<number> {
  const picture = new Image();
  picture.src = url;
  await picture.decode().catch(() => {});
  return picture.naturalWidth === 0 ? 0 : picture.naturalHeight / picture.naturalWidth;
}
