import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mediaTypes, type OutputKind } from '@guise/contract/families/families.ts';
import {
  type Ability,
  cannotMake,
  type Engine,
  type EngineContext,
  type EngineRequest,
  type EngineResult,
  engineBroke,
  engineUnfit,
} from '@guise/server/engines/engine.ts';
import { tinyMp4, tinyPng } from '../../packages/server/test/support/tiny-results.ts';
import type { Simulation } from './simulation.ts';

export interface EngineOptions {
  name: string;
  abilities: readonly Ability[];
  slots: number;
  /** Whether a run goes on elsewhere when its process ends, and is picked up by its handle. */
  isRemote: boolean;
}

/** What a run does, in the order of how likely it is. */
const outcomes = {
  makes: 66,
  'makes and is stored early': 8,
  'changes its mind after storing': 2,
  refuses: 8,
  breaks: 6,
  'is unfit': 2,
  throws: 2,
  'makes a wrong file': 1,
  hangs: 2,
  'ignores being stopped': 2,
  'finishes after being stopped': 1,
} as const;
type Outcome = keyof typeof outcomes;

const neverEnds: ReadonlySet<Outcome> = new Set(['hangs', 'ignores being stopped']);

/** Makes a small file of everything, as late or as badly as the seed says. */
export function simulatedEngine(
  simulation: Simulation,
  { name, abilities, slots, isRemote }: EngineOptions,
): Engine {
  const { conditions, scheduler, timeline } = simulation;
  const by = scheduler.current.name;
  const random = simulation.random.fork(`engine ${by} ${scheduler.now}`);
  const draw = (output: OutputKind): Outcome => {
    if (conditions.engines === 'breaking') return 'breaks';
    if (conditions.engines === 'reliable') return 'makes';
    const outcome = conditions.engines === 'hanging' ? 'ignores being stopped' : drawOutcome(random.next());
    // A quarter of an hour of nothing: rarely.
    return output === 'video' && neverEnds.has(outcome) && random.chance(0.8) ? 'makes' : outcome;
  };
  return {
    name,
    abilities,
    slots,
    runsHere: !isRemote,
    async run(request, context) {
      const outcome = draw(request.output);
      simulation.outcomes.set(basename(request.scratch), outcome);
      timeline.add(scheduler.now, by, `engine ${name} begins ${request.jobId}: ${outcome}`);
      simulation.onRun.get(by)?.();
      simulation.onRun.delete(by);
      if (isRemote && context.handle === null) await context.saveHandle(`run-${request.jobId}`);
      const scale = conditions.engines === 'slow' ? 10 : 1;
      const seconds = scale * (request.output === 'video' ? random.between(20, 120) : random.between(1, 20));
      return doRun(outcome, seconds * 1000, request, context);
    },
    async close() {},
  };
}

function drawOutcome(drawn: number): Outcome {
  let left = drawn * 100;
  for (const [outcome, share] of Object.entries(outcomes)) {
    left -= share;
    if (left < 0) return outcome as Outcome;
  }
  return 'makes';
}

async function doRun(
  outcome: Outcome,
  ms: number,
  request: EngineRequest,
  context: EngineContext,
): Promise<EngineResult> {
  if (outcome === 'hangs') await sleep(48 * 3600_000, undefined, { signal: context.signal });
  if (outcome === 'ignores being stopped') await sleep(48 * 3600_000);
  if (outcome === 'finishes after being stopped') await sleep(ms + 300_000);
  else await sleep(ms / 2, undefined, { signal: context.signal });
  context.progress(0.5);
  if (outcome === 'refuses') throw cannotMake('There is no face in this photo.');
  if (outcome === 'breaks') throw engineBroke('The simulated engine broke.');
  if (outcome === 'is unfit') throw engineUnfit('The simulated engine cannot make this.');
  if (outcome === 'throws') throw new TypeError('a fault of the simulated engine');
  const made = await writeResult(outcome, request, 'result');
  if (outcome === 'makes and is stored early' || outcome === 'changes its mind after storing')
    context.fileWritten?.(made);
  await sleep(
    ms / 2,
    undefined,
    outcome === 'finishes after being stopped' ? {} : { signal: context.signal },
  );
  if (outcome === 'changes its mind after storing') return writeResult(outcome, request, 'second-result');
  return made;
}

/** The job's id stands in the file: whoever gets the result of another job is found out. */
async function writeResult(outcome: Outcome, request: EngineRequest, name: string): Promise<EngineResult> {
  const file = join(request.scratch, name);
  const beginning = request.output === 'video' ? tinyMp4 : tinyPng;
  const bytes = Buffer.concat([beginning, Buffer.from(request.jobId)]);
  await writeFile(file, outcome === 'makes a wrong file' ? Buffer.from('no picture') : bytes);
  return { file, type: mediaTypes[request.output], applied: [], ignored: [] };
}
