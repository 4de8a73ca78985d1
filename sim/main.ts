import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { rules } from './rules/violation.ts';
import { type SeedThreads, startSeedThreads } from './run-seeds.ts';
import type { RunOutcome, SeedRequest } from './seed-messages.ts';
import { shrink } from './shrink.ts';

/**
 * Plays the job core of an installation on simulated time, with faults that a seed says, and holds it to its rules:
 * docs/simulator.md. Ends with 1 where a rule is broken.
 *
 *   npm run sim                          200 seeds
 *   npm run sim -- --seeds 1000          so many, on all cores; --from N to begin with another than 1
 *   npm run sim -- --minutes 30          as many as are played in half an hour
 *   npm run sim -- --until-jobs 1000000  as many as it takes for a million jobs
 *   npm run sim -- --seed 42             one of them, with its timeline
 *   npm run sim -- --seed 42 --shrink    the same with as few actions and faults as break the same rule
 *   npm run sim -- --seed 42 --only a3,f1  the same with these alone
 *   --jobs N, --active-minutes N         jobs of a run, and how long clients send them: 30 in 2 minutes
 *   --threads N                          without it, as many as there are cores
 *   --go-on                              does not stop at the first seed that breaks a rule
 */
const { values: options } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    'until-jobs': { type: 'string' },
    jobs: { type: 'string', default: '30' },
    'active-minutes': { type: 'string', default: '2' },
    threads: { type: 'string', default: String(availableParallelism()) },
    only: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    'go-on': { type: 'boolean', default: false },
  },
});

const shape = { jobs: Number(options.jobs), minutes: Number(options['active-minutes']) };
const only = options.only === undefined ? null : options.only.split(',').filter(Boolean);
const requestOf = (seed: number): SeedRequest => ({
  seed,
  shape,
  only,
  wantsLines: options.seed !== undefined,
});

const threads = startSeedThreads(options.seed === undefined ? Number(options.threads) : 1);
try {
  const failed = options.seed === undefined ? await playMany() : await playOne(Number(options.seed));
  process.exitCode = failed ? 1 : 0;
} finally {
  await threads.close();
}

async function playOne(seed: number): Promise<boolean> {
  const outcome = await threads.play(requestOf(seed));
  if (outcome.violation && options.shrink) await printShrunk(threads, outcome);
  else printTimeline(outcome, only);
  if (!outcome.violation) console.log(`\nNo rule is broken. ${describeRun(outcome)}`);
  return outcome.violation !== null;
}

async function playMany(): Promise<boolean> {
  const began = performance.now();
  const totals = { seeds: 0, jobs: 0, simulatedMs: 0, processorMs: 0 };
  const failed: RunOutcome[] = [];
  const seconds = () => (performance.now() - began) / 1000;
  const isEnough = () => {
    if (failed.length > 0 && !options['go-on']) return true;
    if (options.minutes !== undefined) return seconds() >= 60 * Number(options.minutes);
    return options['until-jobs'] !== undefined && totals.jobs >= Number(options['until-jobs']);
  };
  const isOpen = options.minutes !== undefined || options['until-jobs'] !== undefined;
  function* requests(): Generator<SeedRequest> {
    const from = Number(options.from);
    const last = isOpen ? Number.POSITIVE_INFINITY : from + Number(options.seeds) - 1;
    for (let seed = from; seed <= last && !isEnough(); seed++) yield requestOf(seed);
  }
  await threads.playAll(requests(), (outcome) => {
    totals.seeds++;
    totals.jobs += outcome.jobs;
    totals.simulatedMs += outcome.simulatedMs;
    totals.processorMs += outcome.processorMs;
    if (outcome.violation) {
      failed.push(outcome);
      console.log(
        `seed ${outcome.seed}: “${outcome.violation.rule}” ${outcome.violation.seen.split('\n')[0]}`,
      );
    }
    if (totals.seeds % 1000 === 0) console.log(describeTotals(totals, seconds()));
  });
  console.log(describeTotals(totals, seconds()));
  const [first] = failed.sort((a, b) => a.seed - b.seed);
  if (first && options.shrink) await printShrunk(threads, first);
  else if (first) printTimeline(first, null);
  return first !== undefined;
}

async function printShrunk({ play }: SeedThreads, failing: RunOutcome): Promise<void> {
  const { only: kept, outcome, runs } = await shrink({ play }, requestOf(failing.seed), failing);
  printTimeline(outcome, kept);
  console.log(`\nOf ${failing.parts.length} actions and faults ${kept.length} are left, after ${runs} runs.`);
}

function printTimeline({ seed, violation, lines }: RunOutcome, kept: readonly string[] | null): void {
  for (const line of lines) console.log(line);
  if (!violation) return;
  const changed = [
    ...(options.jobs === '30' ? [] : ['--jobs', options.jobs]),
    ...(options['active-minutes'] === '2' ? [] : ['--active-minutes', options['active-minutes']]),
    ...(kept === null ? [] : ['--only', kept.join()]),
  ];
  console.log(`\nRule “${violation.rule}”: ${rules[violation.rule]}`);
  console.log(`Seed ${seed} at commit ${commit()}: ${violation.seen}`);
  console.log(`npm run sim -- --seed ${[seed, ...changed].join(' ')}`);
}

function describeRun({ jobs, simulatedMs, processorMs, hash }: RunOutcome): string {
  const hours = (simulatedMs / 3600_000).toFixed(1);
  return `${jobs} jobs, ${hours} simulated hours, ${Math.round(processorMs)} ms of processor time, timeline ${hash.slice(0, 16)}.`;
}

function describeTotals(
  {
    seeds,
    jobs,
    simulatedMs,
    processorMs,
  }: { seeds: number; jobs: number; simulatedMs: number; processorMs: number },
  seconds: number,
): string {
  const hours = simulatedMs / 3600_000;
  return (
    `${seeds} seeds, ${jobs} jobs, ${Math.round(hours)} simulated hours in ${Math.round(seconds)} s: ` +
    `${(jobs / seconds).toFixed(1)} jobs and ${(hours / seconds).toFixed(1)} simulated hours a second, ` +
    `${(processorMs / seeds).toFixed(0)} ms of processor time a seed`
  );
}

function commit(): string {
  try {
    const text = (...args: string[]) =>
      execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    const isChanged = text('status', '--porcelain', '--untracked-files=no') !== '';
    return text('rev-parse', '--short', 'HEAD') + (isChanged ? ' with changes' : '');
  } catch {
    return 'unknown';
  }
}
