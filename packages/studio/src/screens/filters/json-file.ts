import { saveBlob } from '../../ui/save-file.ts';
import { say } from '../../words/say.ts';

/** Saves a value as a file of the person's computer. */
export function saveJsonFile(name: string, value: unknown): void {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  saveBlob(new Blob([text], { type: 'application/json' }), name.replace(/[\\/:*?"<>|]+/g, '-'));
}

/** An object of a JSON file; throws a sentence when it is none. */
export async function readJsonFile(file: File): Promise<Record<string, unknown>> {
  if (file.size > 40 * 1024 * 1024) throw new Error(say('This file has more than 40 MB.'));
  let value: unknown;
  try {
    value = JSON.parse(await file.text());
  } catch {
    throw new Error(say('{name} is not a JSON file.', { name: file.name }));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(say('{name} does not hold a JSON object.', { name: file.name }));
  return value as Record<string, unknown>;
}
