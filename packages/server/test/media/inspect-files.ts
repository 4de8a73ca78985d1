import { readFileSync } from 'node:fs';
import { inspectImage } from '../../src/media/inspect-image.ts';

// Prints for each file what inspecting it gave, how much processor time it took and by how much it raised the peak of memory.
for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file);
  const before = process.memoryUsage.rss();
  const start = process.cpuUsage();
  const code = await inspectImage(bytes).then(
    () => 'accepted',
    (error) => error.code ?? String(error),
  );
  const { user, system } = process.cpuUsage(start);
  const ms = (user + system) / 1000;
  const grown = Math.max(0, process.resourceUsage().maxRSS * 1024 - before);
  process.stdout.write(`${JSON.stringify({ code, ms, grown })}\n`);
}
