import { AppError } from '../errors.ts';

/** What was given to a command, by name. */
export type Flags = Record<string, string | boolean | undefined>;

export function needed(flags: Flags, name: string): string {
  const value = flags[name];
  if (typeof value !== 'string' || value.trim() === '') throw new AppError('USAGE', `--${name} is needed.`);
  return value;
}

export function count(text: unknown, name: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0 || value > 1_000_000_000) {
    throw new AppError('USAGE', `--${name} must be a whole number from 0 to 1,000,000,000.`);
  }
  return value;
}

export function print(flags: Flags, data: unknown, lines: string[]): void {
  console.log(flags.json ? JSON.stringify(data) : lines.join('\n'));
}
