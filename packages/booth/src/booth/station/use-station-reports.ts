import type { NewStationReportInput } from '@guise/contract/events/stations.ts';
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
    const send = () =>
      api
        .report({ ...report.current(), page_version: pageVersion }, AbortSignal.timeout(longestMs))
        .catch(() => {});
    void send();
    const timer = setInterval(send, everyMs);
    return () => clearInterval(timer);
  }, [api]);
}
