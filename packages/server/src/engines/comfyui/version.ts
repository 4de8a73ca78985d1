/**
 * The oldest ComfyUI that jobs go to. `/prompt` honours our `prompt_id` from 0.3.45 on; `/interrupt` honours it from
 * 0.3.57 on, and before that stops whatever runs, be it another guest's.
 */
export const leastVersion = '0.3.57';

/** Why a server of this version gets no jobs; null when it may have some. */
export function versionProblem(version: string | null): string | null {
  const parts = /(\d+)\.(\d+)\.(\d+)/.exec(version ?? '');
  if (!parts) return `it does not say which ComfyUI it is, and Guise needs ${leastVersion} or later`;
  const least = leastVersion.split('.').map(Number);
  const found = parts.slice(1).map(Number);
  const at = found.findIndex((part, i) => part !== least[i]);
  if (at === -1 || found[at]! > least[at]!) return null;
  return `ComfyUI ${parts[0]} is too old: Guise needs ${leastVersion} or later, because older ones stop other jobs than the one that is cancelled`;
}
