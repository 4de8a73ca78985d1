import { Option } from 'commander';
import { AppError } from '../errors.ts';

/** Options that several commands have. */

export const jsonOption = () => new Option('--json', 'Print JSON.');
export const emailOption = () => new Option('--email <address>', 'Email address of the account. Required.');
export const limitOption = () =>
  new Option('--limit <count>', 'How many to list at most.').default(50).argParser(wholeNumber('--limit'));

/** The value of an option that the command cannot do without. */
export function requireOption(name: string, value: string | undefined): string {
  if (value === undefined || value.trim() === '') throw new AppError('USAGE', `${name} is needed.`);
  return value;
}

const mostCounted = 1_000_000_000;

/** Reads a number that counts something, such as credits. */
export function wholeNumber(name: string, min = 0, max = mostCounted): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isSafeInteger(value) && value >= min && value <= max) return value;
    const range = `${min.toLocaleString('en')} to ${max.toLocaleString('en')}`;
    throw new AppError('USAGE', `${name} must be a whole number from ${range}.`);
  };
}

/** Reads one of a few words. */
export function oneOf<Word extends string>(name: string, words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((candidate) => candidate === text);
    if (word === undefined) throw new AppError('USAGE', `${name} must be one of ${words.join(', ')}.`);
    return word;
  };
}
