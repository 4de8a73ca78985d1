/** The rules that a run is held to. */
export const rules = {
  credits: 'Credits are conserved to the unit and never negative.',
  ends: 'Every accepted job ends exactly once.',
  deadline: 'A job ends within its deadline and what the faults took, and so does every request.',
  result: 'A completed job has its own result, one, and no result is without its job.',
  inputs: 'Photos stay until their job has ended, and no longer.',
  routing: 'No worker claims what its engines cannot make.',
  fencing: 'Only the holder of a claim writes to its job.',
  lease: 'A job is taken only from a worker that could not renew its lease.',
  blame: 'Only what a request caused is counted against its account.',
  order: 'A worker claims the first job in the fair order that it can make.',
  fairness: 'Jobs of other accounts that came later do not keep a job waiting without bound.',
  budget: 'No event, guest, key or quick test link goes beyond its limit, and each gets back what failed.',
  webhooks: 'Every webhook is delivered or given up by its rule, by one node at a time.',
  isolation: 'Receivers of one account do not delay the webhooks of another.',
  slots: 'No slot is held without work.',
  crash: 'No error is left without anybody to handle it.',
} as const;
export type Rule = keyof typeof rules;

export interface Violation {
  rule: Rule;
  at: number;
  /** What was seen, with ids. */
  seen: string;
}

/** Thrown where a rule is broken: the run ends there. */
export class RuleBroken extends Error {
  readonly rule: Rule;

  constructor(rule: Rule, seen: string) {
    super(seen);
    this.rule = rule;
  }
}
