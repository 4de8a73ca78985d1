import { readFileSync, writeFileSync } from 'node:fs';
import { inspectHere } from '../support/decode-here.ts';

// Prints for each file what inspecting it gave, how much processor time it took and by how much it raised the peak of memory.
for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file);
  forgetPeak();
  const before = process.memoryUsage.rss();
  const start = process.cpuUsage();
  const code = await inspectHere(bytes).then(
    () => 'accepted',
    (error) => error.code ?? String(error),
  );
  const { user, system } = process.cpuUsage(start);
  const ms = (user + system) / 1000;
  const grown = Math.max(0, peakBytes() - before);
  process.stdout.write(`${JSON.stringify({ code, ms, grown })}\n`);
}

/** Loading the modules may have taken more than any of the files. Linux alone can forget a peak. */
function forgetPeak(): void {
  if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5');
}

function peakBytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]) * 1024;
}
