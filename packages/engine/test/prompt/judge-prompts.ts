import { promptKinds } from '../../src/prompt/prompt-choice.ts';
import type { PromptReading } from '../../src/prompt/prompt-notes.ts';
import type { MeaningPrompt, PromptSet } from './meaning-prompts.ts';

/** How readings compare with what a person would choose. */
export interface Judgement {
  /** What a person would choose: chosen, something else of its kind chosen, nothing of its kind chosen. */
  right: number;
  wrong: number;
  missed: number;
  /** Things chosen that a person would not have chosen at all. */
  uncalled: number;
  /** Prompts that fit nothing and were told so, and those for which something was chosen. */
  nothing: number;
  forced: number;
  /** Denied things that were chosen all the same. */
  denied: number;
  /** Every reading that is not as wanted. */
  failures: string[];
}

/** Reads all prompts of a set, and counts. */
export async function judgeReadings(
  read: (prompt: string) => PromptReading | Promise<PromptReading>,
  { prompts, denials, fitNothing }: PromptSet,
): Promise<Judgement> {
  const judged: Judgement = {
    right: 0,
    wrong: 0,
    missed: 0,
    uncalled: 0,
    nothing: 0,
    forced: 0,
    denied: 0,
    failures: [],
  };
  for (const prompt of prompts) judgeChoices(prompt, await read(prompt[0]), judged);
  for (const [prompt, wanted, never] of denials) {
    const reading = await read(prompt);
    judgeChoices([prompt, wanted], reading, judged);
    const chosen = promptKinds.map((kind) => reading[kind]).filter((name) => name && never.includes(name));
    judged.denied += chosen.length;
    if (chosen.length > 0) judged.failures.push(`${prompt}: chose ${chosen}, which is denied`);
  }
  for (const prompt of fitNothing) {
    const reading = await read(prompt);
    const chosen = promptKinds.filter((kind) => reading[kind] !== null);
    if (chosen.length === 0) judged.nothing++;
    else {
      judged.forced++;
      judged.failures.push(`${prompt}: ${chosen.map((kind) => `${kind} ${reading[kind]}`)} for nothing`);
    }
  }
  return judged;
}

function judgeChoices([prompt, wanted]: MeaningPrompt, reading: PromptReading, judged: Judgement): void {
  for (const kind of promptKinds) {
    const chosen = reading[kind];
    const name = wanted[kind];
    if (typeof name === 'string') {
      if (chosen === null) judged.missed++;
      else if (name.split('|').includes(chosen)) judged.right++;
      else judged.wrong++;
      if (chosen === null || !name.split('|').includes(chosen))
        judged.failures.push(`${prompt}: ${kind} ${chosen}, not ${name}`);
    } else if (chosen !== null && !name?.includes(chosen)) {
      judged.uncalled++;
      judged.failures.push(`${prompt}: ${kind} ${chosen} uncalled for`);
    }
  }
}
