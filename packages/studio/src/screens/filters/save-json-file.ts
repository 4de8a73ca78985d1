/** Saves a value as a file of the person's computer. */
export function saveJsonFile(name: string, value: unknown): void {
  const url = URL.createObjectURL(
    new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[\\/:*?"<>|]+/g, '-');
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** An object of a JSON file; throws a sentence when it is none. */
export async function readJsonFile(file: File): Promise<Record<string, unknown>> {
  if (file.size > 40 * 1024 * 1024) throw new Error('This file has more than 40 MB.');
  let value: unknown;
  try {
    value = JSON.parse(await file.text());
  } catch {
    throw new Error(`${file.name} is not a JSON file.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${file.name} does not hold a JSON object.`);
  return value as Record<string, unknown>;
}
