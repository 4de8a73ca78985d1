import { setPriority } from 'node:os';
import { type AttackName, type AttackTarget, attacks } from '../test/e2e/attacks.ts';

/** Carries out an attack until its parent ends it. Attackers have machines of their own: this one takes what is left. */
setPriority(19);
const [name, url, key] = process.argv.slice(2) as [AttackName, string, string];
await attacks[name]({ url, key } satisfies AttackTarget, new AbortController().signal);
