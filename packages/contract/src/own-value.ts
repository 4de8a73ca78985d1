/** What a record has under a caller's key. `constructor` and `__proto__` are keys only where the record has them itself. */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
