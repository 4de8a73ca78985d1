import { z } from 'zod';
import { comfyuiKind } from './comfyui/comfyui-kind.ts';
import type {
  EngineKind,
  EnginePlace,
  OpenEngine,
  PlannedServer,
  PlannedWorkflow,
  ReadSecret,
} from './engine-kind.ts';
import { falKind } from './fal/fal-kind.ts';
import { guiseKind } from './guise/guise-kind.ts';
import { openaiImagesKind } from './openai-images/openai-images-kind.ts';
import { runpodKind } from './runpod/runpod-kind.ts';

/** Every kind of remote engine, by its `type` in the engines file. */
const kinds = {
  comfyui: comfyuiKind,
  runpod: runpodKind,
  guise: guiseKind,
  openai_images: openaiImagesKind,
  fal: falKind,
};

type Kinds = typeof kinds;
type EngineType = keyof Kinds;
type EntryOf<T extends EngineType> = z.infer<Kinds[T]['entry']> & { type: T };
type PlanOf<T extends EngineType> = ReturnType<Kinds[T]['withSecrets']> & { type: T };

/** An engine of the operator's file with its keys in place. */
export type EnginePlan = { [T in EngineType]: PlanOf<T> }[EngineType];

/** The same table for code that has an engine of any type. A row under another kind's type does not compile. */
const kindOf: { readonly [T in EngineType]: EngineKind<Kinds[T]['entry'], PlanOf<T>> } = kinds;

const [firstEntry, ...otherEntries] = Object.values(kinds).map(({ entry }) => entry);
/** An engine in the operator's file. */
export const EngineEntry = z.discriminatedUnion('type', [firstEntry!, ...otherEntries]);

/** What all kinds say of themselves without a plan. */
export function traitsOf({
  type,
}: {
  type: EngineType;
}): Pick<
  EngineKind<z.ZodObject, unknown>,
  'title' | 'runsWorkflows' | 'readsWords' | 'generates' | 'checkRoute'
> {
  return kindOf[type];
}

/** Why the operator has to say more of an entry before photos go there; null where nothing is missing. */
export function entryProblem<T extends EngineType>(entry: EntryOf<T>): string | null {
  const type: T = entry.type;
  return kindOf[type].checkEntry?.(entry) ?? null;
}

/** The company that gets the photos of an engine's jobs; null where they stay with whoever runs this installation. */
export function sendsPhotosTo<T extends EngineType>(plan: PlanOf<T>): string | null {
  const type: T = plan.type;
  return kindOf[type].sendsPhotosTo?.(plan) ?? null;
}

export function withSecrets<T extends EngineType>(entry: EntryOf<T>, readSecret: ReadSecret): PlanOf<T> {
  const type: T = entry.type;
  return kindOf[type].withSecrets(entry, readSecret);
}

export function openEngine<T extends EngineType>(plan: PlanOf<T>, place: EnginePlace): OpenEngine {
  const type: T = plan.type;
  return kindOf[type].open(plan, place);
}

export function serversOf<T extends EngineType>(
  plan: PlanOf<T>,
  workflows: readonly PlannedWorkflow[],
): PlannedServer[] {
  const type: T = plan.type;
  return kindOf[type].serversOf(plan, workflows);
}
