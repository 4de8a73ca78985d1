import type { Ability } from '@guise/server/engines/engine.ts';
import { createRandom, type Random } from './random.ts';
import { receiverHosts } from './simulation/simulated-receivers.ts';
import type { NodeSpec } from './simulation/surroundings.ts';

/** What happens in a run, all of it drawn from the seed. Without some of its actions and faults it is still a run. */
export interface Scenario {
  seed: number;
  isEmbedded: boolean;
  nodes: NodeSpec[];
  /** Credits of each account. */
  accounts: number[];
  /** How many jobs of an account may run at once; 0 is no limit. */
  accountConcurrency: number;
  /** The budget of the event, and how many runs the quick test link has. */
  eventBudget: number;
  linkRuns: number;
  /** How long clients send requests and faults begin. */
  activeMs: number;
  actions: Action[];
  faults: Fault[];
}

/** How large a scenario is. */
export interface Shape {
  jobs: number;
  minutes: number;
}

export const runKinds = [
  'face swap',
  'custom filter',
  'alias',
  'group',
  'prompt',
  'three photos',
  'simple video',
  'advanced video',
] as const;
export type RunKind = (typeof runKinds)[number];

/** What somebody outside does. */
export type Action = { id: string; at: number; account: number } & (
  | { kind: 'submit'; run: RunKind; webhook: string | null; hasKey: boolean; isBudgeted: boolean }
  | { kind: 'event photo'; guest: number; hasKey: boolean }
  | { kind: 'quick test'; hasKey: boolean }
  | { kind: 'cancel' | 'erase' | 'read' | 'retry'; of: string }
  | { kind: 'erase event' | 'point alias elsewhere' | 'send webhooks again' }
);

/** What goes wrong, from when on and for how long. */
export type Fault = { id: string; at: number; ms: number } & (
  | { kind: 'node dies' | 'node is restarted'; node: string }
  /** At once, or when it begins its next run. */
  | { kind: 'node pauses'; node: string; isInRun: boolean }
  | { kind: 'clock jumps'; node: string; byMs: number }
  | { kind: 'database'; how: 'away' | 'slow' | 'dropping' | 'full' }
  | { kind: 'storage'; how: 'slow' | 'silent' | 'stalling' | 'full' | 'failing' }
  | { kind: 'engines'; how: 'hanging' | 'breaking' | 'slow' }
  | { kind: 'receivers'; how: 'hanging' | 'refusing' }
  | { kind: 'messages are lost' }
  | { kind: 'worker joins'; spec: NodeSpec }
);

const minute = 60_000;

const pictures: readonly Ability[] = [
  { family: 'face_swap_v6' },
  { family: 'face_swap_v1' },
  { family: 'multi_swap_v5' },
  { family: 'self_prompt_v2' },
  { family: 'multi_swap_self_prompt_v5' },
];
const videos: readonly Ability[] = [{ family: 'single_frame_video' }];
const everything = [...pictures, ...videos];

type Crew = readonly (readonly Ability[])[];

/** Workers that make everything together, each of them whole families. */
const crews: readonly Crew[] = [
  [everything],
  [everything, everything],
  [everything, everything, pictures],
  [pictures, videos],
  [pictures, pictures, videos],
];
/** The same with workers that make some filters, models or numbers of photos of a family. */
const mixedCrews: readonly Crew[] = [
  [
    // Each makes some filters of a family that the other one makes the rest of.
    [...pictures.filter(({ family }) => !family.startsWith('face')), ...withKinds({ kinds: ['prompt'] })],
    [...withKinds({ exceptKinds: ['prompt'] }), ...videos],
  ],
  [
    [...pictures, { family: 'single_frame_video', models: ['simple'] }],
    [{ family: 'single_frame_video', models: ['advanced'] }],
  ],
  [
    [
      ...pictures.filter(({ family }) => family !== 'multi_swap_self_prompt_v5'),
      { family: 'multi_swap_self_prompt_v5', photos: [1] },
      ...videos,
    ],
    [{ family: 'multi_swap_self_prompt_v5', photos: [3] }],
  ],
];

function withKinds(limit: Pick<Ability, 'kinds' | 'exceptKinds'>): Ability[] {
  return (['face_swap_v6', 'face_swap_v1'] as const).map((family) => ({ family, ...limit }));
}

export function drawScenario(seed: number, shape: Shape): Scenario {
  const random = createRandom(`scenario ${seed}`);
  const isEmbedded = random.chance(0.2);
  const nodes = isEmbedded ? drawEmbedded(random) : drawNodes(random);
  const accounts = Array.from({ length: random.whole(2, 4) }, () =>
    random.chance(0.2) ? random.whole(3, 20) : 2000 * shape.jobs,
  );
  const activeMs = shape.minutes * minute * random.between(0.5, 1.5);
  return {
    seed,
    isEmbedded,
    nodes,
    accounts,
    accountConcurrency: random.pick([0, 0, 0, 0, 0, 0, 1, 2]),
    eventBudget: random.whole(2, 30),
    linkRuns: random.whole(1, 6),
    activeMs,
    actions: drawActions(random.fork('actions'), accounts.length, activeMs, shape.jobs),
    faults: drawFaults(random.fork('faults'), nodes, activeMs, isEmbedded),
  };
}

function drawEmbedded(random: Random): NodeSpec[] {
  const slots = random.whole(1, 3);
  return [{ name: 'server', role: 'all', abilities: everything, slots, isRemote: random.chance(0.3) }];
}

function drawNodes(random: Random): NodeSpec[] {
  const apis: NodeSpec[] = Array.from({ length: random.whole(1, 3) }, (_, i) => ({
    ...{ name: `api${i + 1}`, role: 'api', abilities: [], slots: 1, isRemote: false },
  }));
  const workers: NodeSpec[] = random.pick(random.chance(0.3) ? mixedCrews : crews).map((abilities, i) => ({
    ...{ name: `worker${i + 1}`, role: 'worker', abilities },
    ...{ slots: random.whole(1, 3), isRemote: random.chance(0.3) },
  }));
  return [...apis, ...workers];
}

function drawActions(random: Random, accounts: number, activeMs: number, jobs: number): Action[] {
  const actions: Action[] = [];
  let numbers = 0;
  const next = (at: number) => ({ id: `a${++numbers}`, at, account: random.whole(0, accounts - 1) });
  const burstAt = random.between(0, activeMs);
  for (let job = 0; job < jobs; job++) {
    const at = random.chance(0.3) ? burstAt + random.between(0, 3000) : random.between(0, activeMs);
    const hasKey = random.chance(0.7);
    const drawn = random.next();
    const action: Action =
      drawn < 0.2
        ? { ...next(at), account: 0, kind: 'event photo', guest: random.whole(1, 4), hasKey }
        : drawn < 0.28
          ? { ...next(at), account: 0, kind: 'quick test', hasKey }
          : {
              ...next(at),
              kind: 'submit',
              run: random.pick(runKinds),
              webhook: random.chance(0.5) ? random.pick(receiverHosts) : null,
              hasKey,
              isBudgeted: random.chance(0.2),
            };
    actions.push(action);
    if (random.chance(0.3))
      actions.push({
        ...next(at + random.between(0, 40_000)),
        account: action.account,
        kind: random.pick(['cancel', 'erase', 'read', 'retry']),
        of: action.id,
      });
  }
  for (let change = random.whole(0, 3); change > 0; change--)
    actions.push({
      ...next(random.between(0, activeMs)),
      kind: random.pick(['point alias elsewhere', 'send webhooks again'] as const),
    });
  if (random.chance(0.2)) actions.push({ ...next(activeMs * 0.8), account: 0, kind: 'erase event' });
  return actions.sort((a, b) => a.at - b.at);
}

function drawFaults(
  random: Random,
  nodes: readonly NodeSpec[],
  activeMs: number,
  isEmbedded: boolean,
): Fault[] {
  const count = random.chance(0.1) ? 0 : random.whole(1, 7);
  return Array.from({ length: count }, (_, i) => {
    const common = { id: `f${i + 1}`, at: random.between(0, activeMs), ms: random.between(1000, 90_000) };
    return drawFault(random, common, nodes, isEmbedded);
  }).sort((a, b) => a.at - b.at);
}

function drawFault(
  random: Random,
  common: { id: string; at: number; ms: number },
  nodes: readonly NodeSpec[],
  isEmbedded: boolean,
): Fault {
  const { name: node, role } = random.pick(nodes);
  const drawn = random.next();
  if (drawn < 0.2) return { ...common, kind: 'node dies', node };
  if (drawn < 0.35)
    return { ...common, kind: 'node pauses', node, isInRun: role !== 'api' && random.chance(0.6) };
  if (drawn < 0.43) return { ...common, kind: 'node is restarted', node };
  if (drawn < 0.5) return { ...common, kind: 'clock jumps', node, byMs: random.between(-2, 2) * 3600_000 };
  if (drawn < 0.65) {
    const how = isEmbedded ? 'full' : random.pick(['away', 'slow', 'dropping', 'dropping'] as const);
    return { ...common, kind: 'database', how };
  }
  if (drawn < 0.8) {
    const how = isEmbedded
      ? random.pick(['slow', 'full'] as const)
      : random.pick(['slow', 'silent', 'stalling', 'full', 'failing'] as const);
    const times = how === 'stalling' ? random.whole(1, 6) : random.pick([1, 1, 4]);
    return { ...common, ms: common.ms * times, kind: 'storage', how };
  }
  if (drawn < 0.88)
    return { ...common, kind: 'engines', how: random.pick(['hanging', 'breaking', 'slow'] as const) };
  if (drawn < 0.93)
    return {
      ...common,
      ms: common.ms * 3,
      kind: 'receivers',
      how: random.pick(['hanging', 'refusing'] as const),
    };
  if (drawn < 0.97 || isEmbedded) return { ...common, kind: 'messages are lost' };
  const [abilities] = random.pick(crews);
  const spec: NodeSpec = {
    ...{ name: `worker-${common.id}`, role: 'worker', abilities: abilities!, slots: 2, isRemote: false },
  };
  return { ...common, kind: 'worker joins', spec };
}

/** The same scenario with some of its actions and faults. */
export function keepOnly(scenario: Scenario, ids: readonly string[] | null): Scenario {
  if (ids === null) return scenario;
  const isKept = ({ id }: { id: string }) => ids.includes(id);
  return { ...scenario, actions: scenario.actions.filter(isKept), faults: scenario.faults.filter(isKept) };
}
