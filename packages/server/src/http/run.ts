import type { Family } from '@guise/contract/families.ts';
import { AppError } from '../errors.ts';
import { earlierAnswer, type Idempotency, submit } from '../jobs/submit.ts';
import { givenBody } from './body.ts';
import { type Call, callerOf, goneSignal } from './call.ts';
import type { HttpParts } from './parts.ts';

import { shaped } from './shape.ts';

export async function answerRun(parts: HttpParts, family: Family, call: Call) {
  const caller = callerOf(call);
  for (const [name, value] of Object.entries(parts.rateLimit.take(caller.id)))
    call.response.setHeader(name, value);
  const body = givenBody(call);
  const idempotency = idempotencyOf(call);
  const earlier = idempotency && (await earlierAnswer(parts.db, caller.id, idempotency));
  if (earlier) return earlier;
  return submit(parts, {
    accountId: caller.id,
    family,
    body: shaped(family.schema, body),
    idempotency,
    signal: goneSignal(call),
  });
}

function idempotencyOf(call: Call): Idempotency | null {
  const key = call.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    const message = 'must be 1 to 255 printable characters without spaces';
    throw new AppError('VALIDATION_ERROR', `Idempotency-Key ${message}.`, {
      fields: [{ path: 'Idempotency-Key', message }],
    });
  }
  return { key, fingerprint: call.fingerprint ?? '' };
}
