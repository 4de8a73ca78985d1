/** A moment in the time zone of the event, as people of that language write it. */
export function formatTime(time: Date, timeZone: string, language: string): string {
  const shape = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  } as const;
  try {
    return new Intl.DateTimeFormat(language, { ...shape, timeZone }).format(time);
  } catch {
    // A tablet that is older than the name of the zone, such as Europe/Kyiv: it stands there, and has the time.
    return new Intl.DateTimeFormat(language, shape).format(time);
  }
}
