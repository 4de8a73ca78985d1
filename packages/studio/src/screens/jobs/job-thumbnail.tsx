import type { JobListEntry } from '@guise/contract/jobs.ts';
import { type CSSProperties, useEffect, useState } from 'react';

const retryMs = 2500;
const mostTries = 3;

interface JobThumbnailProps {
  job: JobListEntry;
  className: string;
  style?: CSSProperties;
}

/** The small picture of a result. Where many are made at once the server asks to come back: it is asked again. */
export function JobThumbnail({ job, className, style }: JobThumbnailProps) {
  const [tries, setTries] = useState(0);
  const [isWaiting, setIsWaiting] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setIsWaiting(false), retryMs);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  if (!job.thumbnail_url || isWaiting || tries >= mostTries) return null;
  return (
    <img
      src={job.thumbnail_url}
      alt=""
      decoding="async"
      // The list itself comes first.
      fetchPriority="low"
      draggable={false}
      onError={() => {
        setTries(tries + 1);
        setIsWaiting(true);
      }}
      className={className}
      style={style}
    />
  );
}
