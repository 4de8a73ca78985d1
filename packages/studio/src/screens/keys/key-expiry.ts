import { say } from '../../words/say.ts';

export const expiryChoices = [
  { value: 'never', label: say('Never') },
  { value: '1', label: say('In a day') },
  { value: '7', label: say('In a week') },
  { value: '30', label: say('In 30 days') },
  { value: '365', label: say('In a year') },
  { value: 'date', label: say('At a set time') },
] as const;
export type ExpiryChoice = (typeof expiryChoices)[number]['value'];

export interface KeyExpiry {
  choice: ExpiryChoice;
  /** As a field for a local time has it: 2026-05-01T20:00. */
  date: string;
}

/** The form's fields for the time that a key expires at. */
export function expiryFieldsOf(expiresAt: string | null): KeyExpiry {
  if (expiresAt === null) return { choice: 'never', date: '' };
  const time = new Date(expiresAt);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return { choice: 'date', date: local.toISOString().slice(0, 16) };
}

/** The time, null for never, or undefined while the date is missing. */
export function readExpiry({ choice, date }: KeyExpiry, now = Date.now()): string | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'date') return new Date(now + Number(choice) * 86_400_000).toISOString();
  const time = new Date(date);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
