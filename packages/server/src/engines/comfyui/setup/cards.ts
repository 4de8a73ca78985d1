import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type NamedWorkflow, ownWorkflow, readWorkflowFile } from '../../workflow/workflow-file.ts';

/** A size of graphics card, and the workflows that make everything on it: for one job, the first that fits it. */
const Card = z.strictObject({ vram_gb: z.int().positive(), workflows: z.array(z.string()).min(1) });
export type Card = z.infer<typeof Card>;

/** From the smallest to the largest. */
export const cards: readonly Card[] = z
  .array(Card)
  .min(1)
  .parse(JSON.parse(readFileSync(new URL('../cards.json', ownWorkflow('x')), 'utf8')));

/** A card says a little less than it is sold with. */
const saidShare = 0.93;

/** The set for so much memory. With less than the smallest card has, it runs by offloading, if at all. */
export function cardFor(vramGb: number): Card {
  return cards.findLast((card) => vramGb >= card.vram_gb * saidShare) ?? cards[0]!;
}

export function workflowsOf({ workflows }: Card): NamedWorkflow[] {
  return workflows.map((name) => ({ name, file: readWorkflowFile(ownWorkflow(name)) }));
}
