import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Act,
  type Credential,
  creditsLeft,
  isAllowed,
  isInForce,
  type Lineage,
  refusalOf,
} from '../src/authority.ts';
import type { Scope } from '../src/scopes.ts';

const now = 1000;
const pairs = <A, B>(first: readonly A[], second: readonly B[]): [A, B][] =>
  first.flatMap((one) => second.map((other): [A, B] => [one, other]));

const scopeSets: Scope[][] = [[], ['run'], ['manage'], ['run', 'manage']];
const budgets = [
  { budget: null, spent: 7 },
  { budget: 2, spent: 0 },
  { budget: 2, spent: 1 },
  { budget: 2, spent: 3 },
];
const ends = [
  { expires_at: null, revoked_at: null },
  { expires_at: now + 1, revoked_at: null },
  { expires_at: now, revoked_at: null },
  { expires_at: null, revoked_at: now - 1 },
];

/** Every credential of a few scopes, budgets and ends, and every act of a few kinds. */
const credentials: Credential[] = pairs(pairs(scopeSets, budgets), pairs(ends, [false, true])).map(
  ([[scopes, budget], [end, is_renewable]]) => ({ scopes, ...budget, ...end, is_renewable }),
);
const acts: Act[] = pairs(pairs([[], ['run'], ['run', 'manage']] satisfies Scope[][], [undefined, 0, 1, 2]), [
  false,
  true,
]).map(([[scopes, price], outlives]) => ({ scopes, outlives, ...(price !== undefined && { price }) }));

test('one credential does what its scopes, its budget and its end allow', () => {
  for (const credential of credentials) {
    for (const act of acts) {
      const { scopes, budget, spent, expires_at, revoked_at, is_renewable } = credential;
      const hasEnded = revoked_at !== null || (expires_at !== null && expires_at <= now);
      const lacksScope = act.scopes.some((scope) => !scopes.includes(scope));
      const hasLimit = budget !== null || (expires_at !== null && !is_renewable);
      const isTooDear = act.price !== undefined && budget !== null && spent + act.price > budget;
      const expected = hasEnded
        ? 'ended'
        : lacksScope
          ? 'scope_missing'
          : act.outlives && hasLimit
            ? 'limited'
            : isTooDear
              ? 'budget_spent'
              : undefined;
      assert.equal(refusalOf([credential], act, now)?.reason, expected, JSON.stringify({ credential, act }));
    }
  }
});

test('a lineage does what every one of it may do by itself, and nothing else', (t) => {
  let asked = 0;
  for (const [child, maker] of pairs(credentials, credentials)) {
    for (const act of acts) {
      asked++;
      const alone = [child, maker].every((credential) => refusalOf([credential], act, now) === null);
      if ((refusalOf([child, maker], act, now) === null) !== alone)
        assert.fail(JSON.stringify({ child, maker, act }));
    }
  }
  t.diagnostic(`${asked} acts of two credentials`);
});

test('a longer lineage never does more, whoever stands where in it', () => {
  // Three of a kind each: enough for every reason, in every order.
  const some = credentials.filter((_, at) => at % 11 === 0);
  for (const [[one, two], three] of pairs(pairs(some, some), some)) {
    const lineage: Lineage = [one, two, three];
    for (const act of acts) {
      const refusal = refusalOf(lineage, act, now);
      assert.equal(refusalOf([three, one, two], act, now)?.reason, refusal?.reason);
      if (refusal === null) assert.equal(refusalOf([one, two], act, now), null);
    }
    assert.equal(isInForce(lineage, now), isInForce([one, two], now) && isInForce([three], now));
    assert.equal(creditsLeft(lineage), Math.min(creditsLeft([one, two]), creditsLeft([three])));
    assert.equal(isAllowed(lineage, 'run'), isAllowed([one, two], 'run') && isAllowed([three], 'run'));
  }
});

test('whoever is signed in acts as the account: no key limits that', () => {
  for (const act of acts) assert.equal(refusalOf([], act, now), null);
  assert.equal(creditsLeft([]), Number.POSITIVE_INFINITY);
});
