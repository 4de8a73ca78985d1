/** Enumerations whose wrong values have error codes of their own are checked after the shape of a body. */

export function isOne<T extends string>(values: readonly T[], value: string): value is T {
  return (values as readonly string[]).includes(value);
}

/** "4s, 6s or 8s". */
export function listed(values: readonly string[]): string {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}
