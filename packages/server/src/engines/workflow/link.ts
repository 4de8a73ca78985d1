/** The node and the output that an input is linked to; null where it holds a value. */
export function linkOf(value: unknown): { node: string; slot: number } | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [node, slot] = value as unknown[];
  return typeof node === 'string' && Number.isInteger(slot) ? { node, slot: slot as number } : null;
}
