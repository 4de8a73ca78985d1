import { locale, numberText } from '../words/language.ts';

const formats = {
  time: new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }),
  day: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }),
  full: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
};

/** The time of today, else the day too. */
export function shortTime(iso: string): string {
  const date = new Date(iso);
  const time = formats.time.format(date);
  return date.toDateString() === new Date().toDateString() ? time : `${formats.day.format(date)}, ${time}`;
}

export const fullTime = (iso: string): string => formats.full.format(new Date(iso));

/** 850 ms, 3.2 s, 2 min 5 s. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${numberText(ms / 1000, 1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
