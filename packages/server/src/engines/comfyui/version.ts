/**
 * The oldest ComfyUI that jobs go to. `/prompt` honours our `prompt_id` from 0.3.45 on; `/interrupt` honours it from
 * 0.3.57 on, and before that stops whatever runs, be it another guest's.
 */
export const leastVersion = '0.3.57';

/** Why a server of this version gets no jobs; null when it may have some. */
export function versionProblem(version: string | null): string | null {
  const found = /\d+\.\d+\.\d+/.exec(version ?? '')?.[0];
  if (!found) return `it does not say which ComfyUI it is, and Guise needs ${leastVersion} or later`;
  if (isAtLeast(found, leastVersion)) return null;
  return `ComfyUI ${found} is too old: Guise needs ${leastVersion} or later, because older ones stop other jobs than the one that is cancelled`;
}

/** Whether a version is at least the one that a text such as "0.3.57 or later" begins with. */
export function isAtLeast(version: string, wanted: string): boolean {
  const numbers = (text: string) => (/\d+(\.\d+)*/.exec(text)?.[0] ?? '0').split('.').map(Number);
  const [has, needs] = [numbers(version), numbers(wanted)];
  const differs = needs.findIndex((number, i) => (has[i] ?? 0) !== number);
  return differs === -1 || (has[differs] ?? 0) > needs[differs]!;
}
