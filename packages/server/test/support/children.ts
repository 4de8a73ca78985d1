import { readdirSync, readFileSync } from 'node:fs';

/** Processes of this one whose command line has such words. Linux only. */
export function childrenOf(words: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        return parent === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(words);
      } catch {
        return false;
      }
    })
    .map(Number);
}
