import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Family } from '../jobs/families.ts';
import { earlierAnswer, type Idempotency, submit } from '../jobs/submit.ts';
import { givenBody } from './body.ts';
import type { HttpParts } from './parts.ts';
import { callerOf, goneSignal } from './request.ts';
import { shaped } from './shape.ts';

export async function answerRun(
  parts: HttpParts,
  family: Family,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const caller = callerOf(request);
  const body = givenBody(request);
  const idempotency = idempotencyOf(request);
  const earlier = idempotency && (await earlierAnswer(parts.db, caller.id, idempotency));
  if (earlier) return earlier;
  const params = shaped(family.schema, body);
  return submit(parts, caller.id, family, params, idempotency, goneSignal(reply));
}

function idempotencyOf(request: FastifyRequest): Idempotency | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    const message = 'must be 1 to 255 printable characters without spaces';
    throw new AppError('VALIDATION_ERROR', `Idempotency-Key ${message}.`, {
      fields: [{ path: 'Idempotency-Key', message }],
    });
  }
  return { key, fingerprint: request.fingerprint ?? '' };
}
