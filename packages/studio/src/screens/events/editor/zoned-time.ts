/** A time in a zone as a field for local times has it: 2026-12-05T18:00. */
export function localTimeOf(time: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(time);
  const part = (type: string) => parts.find((entry) => entry.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/**
 * The time that a clock in the zone shows as `local`; undefined where that is no time. In the hour that a zone skips in
 * spring, the time after it; in the hour that it repeats in autumn, the first.
 */
export function timeOfLocal(local: string, zone: string): number | undefined {
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted) || !isTimeZone(zone)) return undefined;
  const offsetAt = (time: number) =>
    Date.parse(`${localTimeOf(time, zone)}Z`) - Math.floor(time / 60_000) * 60_000;
  const candidates = [wanted - offsetAt(wanted - dayMs), wanted - offsetAt(wanted + dayMs)];
  return candidates.find((time) => localTimeOf(time, zone) === local) ?? candidates[0];
}

const dayMs = 24 * 3600_000;

export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
